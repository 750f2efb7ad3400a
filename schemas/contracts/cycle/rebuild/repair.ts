import { type TreeSnapshot, textOf } from '../../report/tree.ts';
import { changesLines, readChangesLog } from '../documents/changesLog.ts';
import { appendOf, type DocumentWrite, replacementOf, timelineLines } from '../documents/documentsOf.ts';
import { readRequirements } from '../documents/requirementsDocument.ts';
import { type DocumentName, documentPath } from '../state/cyclePaths.ts';
import type { CycleState } from '../state/cycleState.ts';
import { parseObject } from '../state/readState.ts';
import { VERSION } from '../state/version.ts';
import { isSameJson, syncReport } from './sync.ts';

/**
 * The writes that bring the documents in line with a valid state, as after a crash between the two. Old documents go to
 * the history. A log only grows: one that contradicts the state's beginning stays as it is.
 */
export function repairOf(tree: TreeSnapshot, state: CycleState): DocumentWrite[] {
  const { drift } = syncReport(tree, state).parsed ?? { drift: [] };
  return (Object.keys(REPAIRS) as DocumentName[]).flatMap((name) => {
    const path = documentPath(state.cycle_id, name);
    if (!drift.includes(path)) return [];
    const file = textOf(tree, path);
    // Something else than a file is in its place; that is a person's to remove.
    if (!file.ok && !file.isMissing) return [];
    return REPAIRS[name](state, file.ok ? file.text : '') ?? [];
  });
}

const REPAIRS: Readonly<Record<DocumentName, (state: CycleState, old: string) => DocumentWrite | undefined>> = {
  requirements: (state, old) => replacementOf(state, 'requirements', readRequirements(old).version),
  plan: (state, old) => replacementOf(state, 'plan', versionIn(old)),
  test_results: (state, old) => replacementOf(state, 'test_results', versionIn(old)),
  changes({ cycle_id: id, changes: part }, old) {
    const { changes = [], iteration_markers = {} } = part ?? {};
    const { changes: logged, badLines } = readChangesLog(old);
    const known = logged.changes;
    if (badLines.length > 0 || !isSameJson(known, changes.slice(0, known.length))) return undefined;
    return appendOf(documentPath(id, 'changes'), changesLines(changes.slice(known.length), iteration_markers, known));
  },
  timeline({ cycle_id: id, iterations }, old) {
    const lines = timelineLines(iterations);
    const known = old.trim() === '' ? '' : `${old.trim()}\n`;
    return lines.startsWith(known) ? appendOf(documentPath(id, 'timeline'), lines.slice(known.length)) : undefined;
  },
};

/** The version that a document of JSON names. */
function versionIn(text: string): string | undefined {
  const parsed = parseObject(text);
  const version = 'object' in parsed ? parsed.object.version : undefined;
  return typeof version === 'string' && VERSION.test(version) ? version : undefined;
}
