import { isMap } from '../../document/fields.ts';
import { isDeeper, notAnObject } from '../../document/json.ts';
import { type Finding, finding } from '../../report/report.ts';
import { type TreeSnapshot, textOf } from '../../report/tree.ts';
import { statePath } from './cyclePaths.ts';

/** Deeper values could not be written again. */
const DEEPEST_STATE = 200;
/** The deepest value that may become part of a state. */
export const DEEPEST_PART = 100;

export type StateText =
  | { kind: 'read'; state: Record<string, unknown> }
  /** Something is there that is no JSON object. */
  | { kind: 'unreadable'; finding: Finding }
  | { kind: 'missing'; finding: Finding };

/** The state file of a cycle, not checked yet. */
export function readState(tree: TreeSnapshot, id: string): StateText {
  const path = statePath(id);
  const file = textOf(tree, path);
  if (!file.ok && file.isMissing) {
    return { kind: 'missing', finding: finding('CYCLE_NOT_FOUND', `There is no cycle ${id}.`, { path }) };
  }
  const read = file.ok ? parseObject(file.text, DEEPEST_STATE) : { fault: file.reason };
  if ('object' in read) return { kind: 'read', state: read.object };
  return {
    kind: 'unreadable',
    finding: finding('CYCLE_PARSE_ERROR', `The state cannot be read: ${read.fault}.`, { path }),
  };
}

/** A JSON object, or why a text is none. It quotes nothing of the text. */
export function parseObject(
  text: string,
  deepest = DEEPEST_PART,
): { object: Record<string, unknown> } | { fault: string } {
  if (isDeeper(text, deepest)) return { fault: `it is nested more than ${deepest} levels deep` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: text.trim() === '' ? 'the file is empty' : 'it is not JSON' };
  }
  return isMap(value) ? { object: value } : { fault: `it is ${notAnObject(value)}` };
}
