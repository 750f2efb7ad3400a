import { jsonDocument } from '../../document/json.ts';
import { documentPath, progressPath } from '../state/cyclePaths.ts';
import type { CycleState, IterationRecord } from '../state/cycleState.ts';
import { changesLines } from './changesLog.ts';
import { requirementsDocument } from './requirementsDocument.ts';

/** The write that brings a document of the progress directory in line with its state. */
export type DocumentWrite = { path: string } & (
  | {
      kind: 'replace';
      text: string;
      /** Where the old document goes first, without the end that makes it unique. Absent if it is the same version. */
      history?: { stem: string; extension: string };
    }
  | { kind: 'append'; text: string }
);

/** The writes that the documents need after a change of the state. */
export function documentsOf(before: CycleState, after: CycleState): DocumentWrite[] {
  const { cycle_id: id } = after;
  const replaced = (Object.keys(HISTORY) as Replaced[])
    .filter((name) => after[name] !== before[name])
    .map((name) => {
      const write = replacementOf(after, name, before[name]?.version);
      const isSame = before[name] !== undefined && before[name]?.version === after[name]?.version;
      return write?.kind === 'replace' && isSame ? { ...write, history: undefined } : write;
    });
  const known = before.changes?.changes ?? [];
  const { changes = [], iteration_markers = {} } = after.changes ?? {};
  const closed = before.iterations.filter(({ completed_at }) => completed_at).length;
  const grown = [
    appendOf(documentPath(id, 'changes'), changesLines(changes.slice(known.length), iteration_markers, known)),
    appendOf(documentPath(id, 'timeline'), timelineLines(after.iterations.slice(closed))),
  ];
  return [...replaced, ...grown].filter((write) => write !== undefined);
}

/** Replaces a document by what the state has; undefined if it has nothing. `old` is the version of the document that is there. */
export function replacementOf(state: CycleState, name: Replaced, old = 'unknown'): DocumentWrite | undefined {
  const { cycle_id: id, requirements } = state;
  const part = state[name];
  if (!part) return undefined;
  const [agent, file, extension] = HISTORY[name];
  const stem = progressPath(id, `${agent}/history/${file}-v${old}`);
  const text = name === 'requirements' && requirements ? requirementsDocument(requirements) : jsonDocument(part);
  return { kind: 'replace', path: documentPath(id, name), text, history: { stem, extension } };
}

export function appendOf(path: string, text: string): DocumentWrite | undefined {
  return text === '' ? undefined : { kind: 'append', path, text };
}

type Replaced = 'requirements' | 'plan' | 'test_results';

const HISTORY = {
  requirements: ['ra', 'requirements', '.md'],
  plan: ['ep', 'plan', '.json'],
  test_results: ['vas', 'test-results', '.json'],
} as const satisfies Record<Replaced, readonly [string, string, string]>;

/** The lines that `coordination/timeline.md` has for these iterations. An open one has none yet. */
export function timelineLines(iterations: readonly IterationRecord[]): string {
  const lines = iterations.flatMap(({ number, completed_at, issues_found = [], resolved }) => {
    if (!completed_at) return [];
    const end = resolved ? 'resolved' : 'not resolved';
    return [`- [${completed_at}] Iteration ${number} completed: ${issues_found.length} issues, ${end}\n`];
  });
  return lines.join('');
}
