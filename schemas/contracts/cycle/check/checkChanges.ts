import { shorten } from '../../../text/phrases.ts';
import { isMap, ownValue } from '../../document/fields.ts';
import { CHANGE_ACTIONS } from '../state/cycleState.ts';
import type { Findings } from './findings.ts';
import { checkObject, checkTime, entriesOf, objectsOf, required } from './objects.ts';

export const CHANGE = [
  required('timestamp', 'time'),
  required('file', 'text'),
  required('action', 'text', { values: CHANGE_ACTIONS }),
  required('iteration', 'whole', { least: 1 }),
  required('agent', 'text'),
  required('description', 'text'),
];

export const CHANGES = [
  required('total_files', 'whole', { least: 0 }),
  required('changes', 'list', { holds: { fields: CHANGE } }),
  required('iteration_markers', 'map'),
];

const NUMBER = /^[1-9]\d{0,8}$/;

export function checkChanges(findings: Findings, part: unknown): void {
  if (!isMap(part)) return;
  checkObject(findings, 'changes', CHANGES, part);
  const list = ownValue(part, 'changes');
  const changes = objectsOf(findings, 'changes.changes', list);
  for (const { at, object } of changes) checkObject(findings, at, CHANGE, object);
  for (const { at, key, value } of entriesOf(
    findings,
    'changes.iteration_markers',
    ownValue(part, 'iteration_markers'),
  )) {
    checkTime(findings, at, value);
    if (!NUMBER.test(key)) {
      findings.add('CYCLE_INVALID_FIELD', `“${shorten(key)}” is no number of an iteration.`, at);
    }
  }
  const total = ownValue(part, 'total_files');
  const files = new Set(changes.map(({ object }) => ownValue(object, 'file'))).size;
  if (Array.isArray(list) && typeof total === 'number' && total !== files) {
    const message = `changes.total_files is ${total}, but the changes name ${files} different files.`;
    findings.add('CYCLE_CHANGES_TOTAL', message, 'changes.total_files');
  }
}
