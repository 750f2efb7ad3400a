import { shorten } from '../../../text/phrases.ts';
import { isMap, ownValue } from '../../document/fields.ts';
import { AGENTS } from '../state/cycleState.ts';
import { isAgent } from './checkAgents.ts';
import type { Findings } from './findings.ts';
import { type AnyObject, checkObject, entriesOf, LEFT_OUT, objectsOf, optional, required } from './objects.ts';

const RESULT = [required('status', 'text'), required('files_modified', 'whole', { least: 0 })];

/** The fields that a record gets when its iteration is completed. */
export const END = [
  optional('completed_at', 'time'),
  optional('issues_found', 'texts'),
  optional('resolved', 'boolean'),
];

export const RECORD = [
  required('number', 'number'),
  optional('extension', 'text'),
  required('started_at', 'time'),
  required('agent_results', 'map', {
    holds: { fields: AGENTS.map((agent) => optional(agent, 'map', { holds: { fields: RESULT } })) },
  }),
];

export function checkIterations(findings: Findings, state: AnyObject): void {
  const list = ownValue(state, 'iterations');
  if (!Array.isArray(list)) return;
  for (const { at, object } of objectsOf(findings, 'iterations', list)) {
    checkObject(findings, at, RECORD, object);
    checkEnd(findings, at, object, at === `iterations[${list.length - 1}]`);
    checkResults(findings, at, object);
  }
  checkNumbers(findings, state, list);
  checkHistory(findings, state, list);
}

/** Only the last record may be open. */
function checkEnd(findings: Findings, at: string, record: AnyObject, isLast: boolean): void {
  checkObject(findings, at, END, record);
  const missing = END.filter(({ name }) => isNone(ownValue(record, name)));
  if (isLast && missing.length === END.length) return;
  for (const { name } of missing) findings.add('CYCLE_MISSING_FIELD', `${at}.${name} is missing.`, `${at}.${name}`);
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === LEFT_OUT;
}

function checkResults(findings: Findings, at: string, record: AnyObject): void {
  for (const { at: place, key, value } of entriesOf(
    findings,
    `${at}.agent_results`,
    ownValue(record, 'agent_results'),
  )) {
    if (!isAgent(key)) {
      findings.add(
        'CYCLE_AGENTS',
        `${at} has a result of “${shorten(key)}”, which is none of ${AGENTS.join(', ')}.`,
        place,
      );
    } else if (isMap(value)) checkObject(findings, place, RESULT, value);
    else findings.add('CYCLE_INVALID_FIELD', `${place} is no object.`, place);
  }
}

function checkNumbers(findings: Findings, state: AnyObject, list: readonly unknown[]): void {
  for (const [index, record] of list.entries()) {
    const number = isMap(record) ? ownValue(record, 'number') : undefined;
    if (typeof number !== 'number' || number === index + 1) continue;
    const at = `iterations[${index}].number`;
    findings.add('CYCLE_ITERATION_NUMBERING', `${at} is ${number}. It must be ${index + 1}.`, at);
  }
  const current = ownValue(state, 'current_iteration');
  if (typeof current === 'number' && current !== list.length) {
    const message = `current_iteration is ${current}, but iterations has ${list.length}.`;
    findings.add('CYCLE_ITERATION_NUMBERING', message, 'iterations');
  }
}

/** The first task, and one for each extension. */
function checkHistory(findings: Findings, state: AnyObject, list: readonly unknown[]): void {
  const history = ownValue(state, 'task_history');
  const extensions = list.filter((record) => isMap(record) && typeof ownValue(record, 'extension') === 'string').length;
  if (!Array.isArray(history) || history.length === 1 + extensions) return;
  const message = `task_history has ${history.length}, but with ${extensions} extensions it must have ${1 + extensions}.`;
  findings.add('CYCLE_TASK_HISTORY', message, 'task_history');
}
