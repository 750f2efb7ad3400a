import { shorten } from '../../text/phrases.ts';
import { type Finding, finding } from '../report/report.ts';
import { type TreeSnapshot, textOf, type Wanted } from '../report/tree.ts';
import { FLOWS } from './flows.ts';
import type { Pointer } from './pointer.ts';

/** The state file that the skill of a step keeps itself, beside the pointer. */
export interface InternalState {
  path: string;
  /** The phase that it names; null if it cannot be read. */
  name: string | null;
  agrees: boolean;
}

/** Compares the two while the step is in progress. The phase of the pointer is not derived from it. */
export function compareInternalState(
  tree: TreeSnapshot,
  pointer: Pointer | null,
): { internal: InternalState | null; findings: Finding[] } {
  const declared = pointer?.status === 'in_progress' ? FLOWS[pointer.flow].internalState?.[pointer.step] : undefined;
  if (!pointer || !declared) return { internal: null, findings: [] };
  const { file: path, field } = declared;
  const file = textOf(tree, path);
  if (!file.ok && file.isMissing) return { internal: null, findings: [] };
  const name = file.ok ? textField(file.text, field) : null;
  if (name === null) {
    const why = file.ok ? `it is no JSON object with the text ${field}` : file.reason;
    const message = `The state file of ${pointer.name} cannot be read: ${why}.`;
    return {
      internal: { path, name, agrees: false },
      findings: [finding('AUTODEV_INTERNAL_STATE_UNREADABLE', message, { path })],
    };
  }
  const agrees = name === pointer.sub_step.name;
  const message = `The skill is at “${shorten(name)}”, and the pointer at “${shorten(pointer.sub_step.name)}”.`;
  const findings = agrees ? [] : [finding('AUTODEV_INTERNAL_STATE_DISAGREES', message, { path, field })];
  return { internal: { path, name, agrees }, findings };
}

export const WANTED_INTERNAL: readonly Wanted[] = Object.values(FLOWS).flatMap(({ internalState = {} }) =>
  Object.values(internalState).map(({ file }) => ({ path: file })),
);

function textField(text: string, field: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    const found = typeof value === 'object' && value !== null && Object.hasOwn(value, field);
    const name = found ? (value as Record<string, unknown>)[field] : null;
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}
