import { shorten } from '../../../text/phrases.ts';
import { isTime } from '../../document/calendar.ts';
import { ownValue } from '../../document/fields.ts';
import { type Finding, type Mode, makeReport, type Report } from '../../report/report.ts';
import type { TreeSnapshot } from '../../report/tree.ts';
import { CYCLE_CONTRACT, statePath } from '../state/cyclePaths.ts';
import { AGENTS, CYCLE_STATUSES, PHASES, TITLE_CHARACTERS } from '../state/cycleState.ts';
import { isLongerThan } from '../state/newCycle.ts';
import { readState } from '../state/readState.ts';
import { AGENT, checkAgents } from './checkAgents.ts';
import { CHANGES, checkChanges } from './checkChanges.ts';
import { COORDINATION, checkCoordination } from './checkCoordination.ts';
import { checkIterations, END, RECORD } from './checkIterations.ts';
import {
  checkExploration,
  checkRequirements,
  checkTestResults,
  checkVersionsAhead,
  EXPLORATION,
  REQUIREMENTS,
  TEST_RESULTS,
} from './checkParts.ts';
import { checkPlan, PLAN } from './checkPlan.ts';
import { Findings } from './findings.ts';
import { type AnyObject, checkObject, objectsOf, optional, required } from './objects.ts';

const PHASE_ERROR = [
  required('phase', 'text', { values: PHASES }),
  required('error', 'text'),
  required('timestamp', 'time'),
];

/** The state file. */
export const CYCLE_FIELDS = [
  required('cycle_id', 'text', { about: 'The name of the file, without .json.' }),
  required('title', 'text', { about: 'The beginning of the task.' }),
  required('description', 'text', { about: 'What the cycle is for.' }),
  required('task_history', 'texts', { about: 'The first task, and one for each extension.' }),
  required('status', 'text', { values: CYCLE_STATUSES, about: 'Where the cycle stands.' }),
  required('created_at', 'time', { about: 'When the cycle was made.' }),
  required('updated_at', 'time', { about: 'When this file was written.' }),
  optional('completed_at', 'time', { about: 'When the cycle was completed. A completed cycle needs it.' }),
  required('max_iterations', 'number', { about: 'How many iterations there may be: a whole number from 1.' }),
  required('current_iteration', 'number', {
    about: 'The number of the iteration in progress, or of the last one. 0 before the first.',
  }),
  optional('failure_reason', 'text', { about: 'Why the cycle failed. A failed cycle needs it.' }),
  required('agents', 'map', {
    holds: { fields: AGENTS.map((agent) => required(agent, 'map', { holds: { fields: AGENT } })) },
    about: 'The state of each of the four agents.',
  }),
  required('current_phase', 'text', { values: PHASES, about: 'What is going on.' }),
  required('completed_phases', 'texts', { holds: { texts: { values: PHASES } }, about: 'The phases that are done.' }),
  required('phase_errors', 'list', { holds: { fields: PHASE_ERROR }, about: 'What went wrong in phases.' }),
  optional('requirements', 'map', { holds: { fields: REQUIREMENTS }, about: 'What the requirements analyst wrote.' }),
  optional('exploration', 'map', { holds: { fields: EXPLORATION }, about: 'What the exploration planner found.' }),
  optional('plan', 'map', { holds: { fields: PLAN }, about: 'The tasks of the exploration planner.' }),
  optional('changes', 'map', { holds: { fields: CHANGES }, about: 'What the code developer changed.' }),
  optional('test_results', 'map', {
    holds: { fields: TEST_RESULTS },
    about: 'What the validation archivist measured.',
  }),
  required('iterations', 'list', {
    holds: { fields: [...RECORD, ...END] },
    about: 'A record of each iteration, the first one first.',
  }),
  required('coordination', 'map', { holds: { fields: COORDINATION }, about: 'What the agents tell one another.' }),
];

/** The faults of a state. `id` is the name of its file. */
export function checkCycle(state: AnyObject, { id, path }: { id: string; path: string }): Finding[] {
  const findings = new Findings(path);
  checkObject(findings, '', CYCLE_FIELDS, state, {
    status: 'CYCLE_INVALID_STATUS',
    current_phase: 'CYCLE_INVALID_PHASE',
  });
  checkId(findings, state, id);
  checkEnd(findings, state);
  checkOrder(findings, state);
  checkRange(findings, state);
  checkAgents(findings, ownValue(state, 'agents'));
  checkPhases(findings, state);
  checkRequirements(findings, ownValue(state, 'requirements'));
  checkExploration(findings, ownValue(state, 'exploration'));
  checkPlan(findings, ownValue(state, 'plan'));
  checkChanges(findings, ownValue(state, 'changes'));
  checkTestResults(findings, ownValue(state, 'test_results'));
  checkVersionsAhead(findings, state);
  checkIterations(findings, state);
  checkCoordination(findings, ownValue(state, 'coordination'));
  return findings.list();
}

function checkId(findings: Findings, state: AnyObject, id: string): void {
  const [given, title] = [ownValue(state, 'cycle_id'), ownValue(state, 'title')];
  if (typeof given === 'string' && given !== id) {
    findings.add('CYCLE_ID_MISMATCH', `cycle_id is “${shorten(given)}”, but the file is of ${id}.`, 'cycle_id');
  }
  if (typeof title === 'string' && isLongerThan(title, TITLE_CHARACTERS)) {
    findings.add('CYCLE_TITLE_TOO_LONG', `title has more than ${TITLE_CHARACTERS} characters.`, 'title');
  }
}

function checkEnd(findings: Findings, state: AnyObject): void {
  const status = ownValue(state, 'status');
  if (status === 'completed' && isAbsent(ownValue(state, 'completed_at'))) {
    findings.add('CYCLE_COMPLETED_AT', 'The cycle is completed, but completed_at is missing.', 'completed_at');
  }
  if (status === 'failed' && isAbsent(ownValue(state, 'failure_reason'))) {
    findings.add('CYCLE_FAILURE_REASON', 'The cycle failed, but failure_reason is missing.', 'failure_reason');
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function checkOrder(findings: Findings, state: AnyObject): void {
  const [created, updated] = [ownValue(state, 'created_at'), ownValue(state, 'updated_at')];
  if (typeof created !== 'string' || typeof updated !== 'string' || !isTime(created) || !isTime(updated)) return;
  if (Date.parse(updated) >= Date.parse(created)) return;
  findings.add('CYCLE_TIME_ORDER', `updated_at (${updated}) is before created_at (${created}).`, 'updated_at');
}

function checkRange(findings: Findings, state: AnyObject): void {
  const [most, current] = [ownValue(state, 'max_iterations'), ownValue(state, 'current_iteration')];
  if (typeof most === 'number' && !(Number.isSafeInteger(most) && most >= 1)) {
    findings.add(
      'CYCLE_ITERATION_RANGE',
      `max_iterations is ${most}. It must be a whole number from 1.`,
      'max_iterations',
    );
  }
  if (typeof current !== 'number') return;
  if (!Number.isSafeInteger(current) || current < 0) {
    const message = `current_iteration is ${current}. It must be a whole number from 0.`;
    findings.add('CYCLE_ITERATION_RANGE', message, 'current_iteration');
  } else if (typeof most === 'number' && current > most) {
    const message = `current_iteration is ${current}, but max_iterations is ${most}.`;
    findings.add('CYCLE_ITERATION_RANGE', message, 'current_iteration');
  }
}

function checkPhases(findings: Findings, state: AnyObject): void {
  const completed = ownValue(state, 'completed_phases');
  for (const [index, phase] of (Array.isArray(completed) ? completed : []).entries()) {
    if (typeof phase !== 'string' || (PHASES as readonly string[]).includes(phase)) continue;
    const at = `completed_phases[${index}]`;
    findings.add('CYCLE_INVALID_PHASE', `${at} is none of ${PHASES.join(', ')}.`, at);
  }
  for (const { at, object } of objectsOf(findings, 'phase_errors', ownValue(state, 'phase_errors'))) {
    checkObject(findings, at, PHASE_ERROR, object, { phase: 'CYCLE_INVALID_PHASE' });
  }
}

/** The contract's findings about a state file. `subject` is the cycle as the caller named it. */
export function validateCycle(
  tree: TreeSnapshot,
  id: string,
  { mode = 'strict', subject = id }: { mode?: Mode; subject?: string } = {},
): Report<Record<string, unknown>> {
  const read = readState(tree, id);
  const path = statePath(id);
  const findings = read.kind === 'read' ? checkCycle(read.state, { id, path }) : [read.finding];
  const parsed = read.kind === 'read' ? read.state : null;
  return makeReport({ contract: CYCLE_CONTRACT, subject, mode, findings, parsed });
}
