import { CODES } from '../../report/codes.ts';
import { type Finding, finding } from '../../report/report.ts';
import { type TreeSnapshot, textOf } from '../../report/tree.ts';
import { checkTestResults } from '../check/checkParts.ts';
import { checkPlan } from '../check/checkPlan.ts';
import { Findings } from '../check/findings.ts';
import { MOST_BAD_LINES, readChangesLog } from '../documents/changesLog.ts';
import { readRequirements } from '../documents/requirementsDocument.ts';
import { type DocumentName, documentPath } from '../state/cyclePaths.ts';
import type { Changes, CyclePlan, Requirements, TestResults } from '../state/cycleState.ts';
import { cycleTime } from '../state/cycleTime.ts';
import { parseObject } from '../state/readState.ts';
import { planOf } from './planOf.ts';
import { testResultsOf } from './testResultsOf.ts';

/** The content of a cycle's four documents. A part without a document is absent. */
export interface Parts {
  requirements?: Requirements;
  plan?: CyclePlan;
  changes?: Changes;
  test_results?: TestResults;
}

/** Reads the four documents, also in the forms that other programs write. */
export function readParts(tree: TreeSnapshot, id: string): { parts: Parts; findings: Finding[] } {
  const found: Finding[] = [];
  const take = <T>(name: DocumentName, read: (text: string, time: string, path: string) => T | undefined) => {
    const path = documentPath(id, name);
    const file = textOf(tree, path);
    if (file.ok) return read(file.text, writtenAt(tree, path), path);
    const [code, message] = file.isMissing
      ? (['CYCLE_REBUILD_MISSING', 'The document is not there, so the state has no such part.'] as const)
      : (['CYCLE_REBUILD_UNREADABLE', `The document cannot be read: ${file.reason}.`] as const);
    found.push(finding(code, message, { path }));
    return undefined;
  };
  const readJson = <T extends object>(
    make: (object: Record<string, unknown>, time: string) => T,
    check: (findings: Findings, part: T) => void,
  ) => {
    return (text: string, time: string, path: string): T | undefined => {
      const made = madeOf(text, time, make, check);
      if ('part' in made) return made.part;
      found.push(finding('CYCLE_REBUILD_UNREADABLE', `The document cannot be read: ${made.fault}`, { path }));
      return undefined;
    };
  };
  const parts: Parts = {
    requirements: take('requirements', (text, time) => ({ ...readRequirements(text), last_updated: time })),
    plan: take('plan', readJson(planOf, checkPlan)),
    changes: take('changes', (text, _, path) => {
      const { changes, badLines } = readChangesLog(text);
      if (badLines.length > MOST_BAD_LINES) {
        const message = `The document cannot be read: more than ${MOST_BAD_LINES} of its lines are no changes.`;
        found.push(finding('CYCLE_REBUILD_UNREADABLE', message, { path }));
      }
      found.push(...badLineFindings(path, badLines));
      return changes;
    }),
    test_results: take('test_results', readJson(testResultsOf, checkTestResults)),
  };
  return { parts, findings: found };
}

function madeOf<T extends object>(
  text: string,
  time: string,
  make: (object: Record<string, unknown>, time: string) => T,
  check: (findings: Findings, part: T) => void,
): { part: T } | { fault: string } {
  const read = parseObject(text);
  if (!('object' in read)) return { fault: `${read.fault}.` };
  const part = make(read.object, time);
  const findings = new Findings('');
  check(findings, part);
  const fault = findings.list().find(({ code }) => CODES[code].strict === 'error');
  return fault ? { fault: fault.message } : { part };
}

const MOST_LINES = 100;

function badLineFindings(path: string, lines: readonly number[]): Finding[] {
  const shown = lines.slice(0, MOST_LINES).map((line) => {
    return finding('CYCLE_LOG_LINE_INVALID', 'The line is no change. It is left out.', { path, line });
  });
  const more = lines.length - shown.length;
  if (more <= 0) return shown;
  return [...shown, finding('CYCLE_LOG_LINE_INVALID', `${more} further lines are no changes.`, { path })];
}

/** When a file was last written. */
export function writtenAt({ entries, now }: TreeSnapshot, path: string): string {
  return cycleTime(Math.min(entries.get(path)?.mtime ?? now, now));
}
