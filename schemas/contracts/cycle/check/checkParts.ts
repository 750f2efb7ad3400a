import { isMap, ownValue } from '../../document/fields.ts';
import { isAhead, VERSION } from '../state/version.ts';
import type { Findings } from './findings.ts';
import { type AnyObject, checkObject, required } from './objects.ts';

/** The version that a part has. */
export const PART_VERSION = required('version', 'text', { pattern: VERSION });
export const PART_CODES = { version: 'CYCLE_VERSION_FORMAT' } as const;

export const REQUIREMENTS = [
  PART_VERSION,
  required('specification', 'text'),
  required('edge_cases', 'texts'),
  required('last_updated', 'time'),
];

export const EXPLORATION = [
  PART_VERSION,
  required('architecture_summary', 'text'),
  required('integration_points', 'texts'),
  required('identified_risks', 'texts'),
  required('last_updated', 'time'),
];

const PERCENT = { least: 0, most: 100 };
export const TEST_RESULTS = [
  PART_VERSION,
  required('pass_rate', 'number', PERCENT),
  required('coverage', 'number', PERCENT),
  required('failed_tests', 'texts'),
  required('total_tests', 'whole', { least: 0 }),
  required('last_run', 'time'),
];

export function checkRequirements(findings: Findings, part: unknown): void {
  if (isMap(part)) checkObject(findings, 'requirements', REQUIREMENTS, part, PART_CODES);
}

export function checkExploration(findings: Findings, part: unknown): void {
  if (isMap(part)) checkObject(findings, 'exploration', EXPLORATION, part, PART_CODES);
}

export function checkTestResults(findings: Findings, part: unknown): void {
  if (!isMap(part)) return;
  checkObject(findings, 'test_results', TEST_RESULTS, part, PART_CODES);
  const failed = ownValue(part, 'failed_tests');
  if (ownValue(part, 'pass_rate') === 100 && Array.isArray(failed) && failed.length > 0) {
    const message = `test_results.pass_rate is 100, but failed_tests has ${failed.length}.`;
    findings.add('CYCLE_TEST_NUMBERS', message, 'test_results.pass_rate');
  }
}

/** A version says in which iteration its part was made. */
export function checkVersionsAhead(findings: Findings, state: AnyObject): void {
  const iteration = ownValue(state, 'current_iteration');
  if (typeof iteration !== 'number') return;
  for (const name of ['requirements', 'exploration', 'plan', 'test_results']) {
    const part = ownValue(state, name);
    const version = isMap(part) ? ownValue(part, 'version') : undefined;
    if (typeof version !== 'string' || !VERSION.test(version) || !isAhead(version, iteration)) continue;
    const message = `${name}.version is ${version}, but the iteration is ${iteration}.`;
    findings.add('CYCLE_VERSION_AHEAD', message, `${name}.version`);
  }
}
