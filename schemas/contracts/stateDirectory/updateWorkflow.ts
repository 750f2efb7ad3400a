import { DevflowError } from '../../errors.ts';
import { shorten } from '../../text/phrases.ts';
import { typedWord } from '../document/json.ts';
import { STATE_CONTRACT } from './contract.ts';

/** The values that a change stamps; an edge gives them. */
export interface Stamp {
  now: number;
  /** An id that no workflow has. */
  newId: string;
}

type Values = ReadonlyMap<string, unknown>;
const KEY = /^[A-Za-z_][\w.-]*$/;

/** The pairs of `state update`, typed. Throws `usage` for what is no pair, so that nothing of a call is written. */
export function readPairs(words: readonly string[]): Map<string, unknown> {
  return new Map(
    words.map((word) => {
      const at = word.indexOf('=');
      const key = word.slice(0, Math.max(at, 0));
      if (at < 1 || !KEY.test(key) || key === '__proto__') {
        throw new DevflowError('usage', `“${shorten(word)}” is not of the form key=value.`);
      }
      return [key, typedWord(word.slice(at + 1))];
    }),
  );
}

/** The changes of `state update`. The first activation stamps the session; another type of workflow gets a new id. */
export function changesOfUpdate(before: Values, pairs: Values, stamp: Stamp): Map<string, unknown> {
  for (const anchor of STATE_CONTRACT.anchors) {
    if (!pairs.has(anchor)) continue;
    throw new DevflowError('state_anchor_immutable', `${anchor} is an anchor of the session. Only a reset wipes it.`);
  }
  const stamped = new Map<string, unknown>();
  const isFirst = pairs.get('active') === true && (!isId(before.get('workflow_id')) || !before.get('created_at'));
  if (isFirst || isAnotherType(before, pairs)) restamp(stamped, stamp);
  return withAnchors(before, new Map([...stamped, ...pairs]));
}

/** The stamps of `state init` for a new workflow of the session. */
export function changesOfInit(
  before: Values,
  { type, task }: { type: string; task: string | null },
  stamp: Stamp,
): Map<string, unknown> {
  const changes = new Map<string, unknown>([
    ['active', true],
    ['workflow_type', type],
    ['task', task],
    ['phase', 'context_init'],
    ['status', 'in_progress'],
    ['verdict', null],
  ]);
  restamp(changes, stamp);
  return withAnchors(before, changes);
}

/** Throws `usage` for a type of workflow that the contract does not know. */
export function requireWorkflowType(type: string): void {
  if (STATE_CONTRACT.workflowTypes.includes(type)) return;
  const known = STATE_CONTRACT.workflowTypes.join(', ');
  throw new DevflowError('usage', `${shorten(type)} is no type of workflow; it is one of ${known}.`);
}

/** The ids of a session, with the original and the current one. Twice changes nothing. */
export function healHistory(history: unknown, original: unknown, current: unknown): unknown[] {
  const healed = Array.isArray(history) ? [...history] : [];
  if (isId(original) && !healed.includes(original)) healed.unshift(original);
  if (isId(current) && !healed.includes(current)) healed.push(current);
  return healed;
}

export function isId(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function isAnotherType(before: Values, pairs: Values): boolean {
  const [old, next] = [before.get('workflow_type'), pairs.get('workflow_type')];
  return before.get('active') === true && typeof old === 'string' && next !== undefined && next !== old;
}

function restamp(changes: Map<string, unknown>, { now, newId }: Stamp): void {
  changes.set('created_at', new Date(now).toISOString());
  changes.set('workflow_id', newId);
}

/** Sets the anchors that are missing and heals the history. */
function withAnchors(before: Values, changes: Map<string, unknown>): Map<string, unknown> {
  const after = new Map([...before, ...changes]);
  const anchor = (name: string, from: string) => {
    // A session that began before its anchors were kept has its earlier values as anchors.
    const value = after.get(name) ?? before.get(from) ?? after.get(from);
    if (value === undefined || value === null || after.get(name) === value) return;
    after.set(name, value);
    changes.set(name, value);
  };
  anchor('first_created_at', 'created_at');
  anchor('original_workflow_id', 'workflow_id');
  const healed = healHistory(
    after.get('workflow_id_history'),
    after.get('original_workflow_id'),
    after.get('workflow_id'),
  );
  // The text form is what upstream reads, so a list in the form of YAML is written anew.
  if (healed.length > 0) changes.set('workflow_id_history', healed);
  return changes;
}
