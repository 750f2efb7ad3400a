import { isMap } from '../../document/fields.ts';
import { type Finding, finding, makeReport, type Report } from '../../report/report.ts';
import { type TreeSnapshot, textOf } from '../../report/tree.ts';
import { readChangesLog } from '../documents/changesLog.ts';
import { timelineLines } from '../documents/documentsOf.ts';
import { readRequirements } from '../documents/requirementsDocument.ts';
import { CYCLE_CONTRACT, type DocumentName, documentPath } from '../state/cyclePaths.ts';
import type { CycleState } from '../state/cycleState.ts';
import { parseObject } from '../state/readState.ts';
import { planOf } from './planOf.ts';
import { writtenAt } from './readParts.ts';
import { testResultsOf } from './testResultsOf.ts';

export interface Synced {
  /** The documents that differ. */
  drift: string[];
  /** The files that a repair wrote, if one was asked for. */
  written?: string[];
}

/** Compares the documents of a cycle with its state. `state` is valid. */
export function syncReport(tree: TreeSnapshot, state: CycleState): Report<Synced> {
  const { cycle_id: id } = state;
  const findings = (Object.keys(SAYS) as DocumentName[]).flatMap((name): Finding[] => {
    const path = documentPath(id, name);
    const expected = EXPECTED[name](state);
    const file = textOf(tree, path);
    if (!file.ok && file.isMissing) {
      return expected === undefined ? [] : [finding('CYCLE_FILE_MISSING', 'The document is not there.', { path })];
    }
    if (!file.ok) return [finding('CYCLE_FILE_DRIFT', `The document cannot be compared: ${file.reason}.`, { path })];
    if (expected === undefined) {
      return file.text.trim() === ''
        ? []
        : [finding('CYCLE_FILE_DRIFT', 'The state has nothing that belongs into this document.', { path })];
    }
    if (isSameJson(SAYS[name](file.text, writtenAt(tree, path)), expected)) return [];
    return [finding('CYCLE_FILE_DRIFT', 'The document does not say what the state says.', { path })];
  });
  const parsed = { drift: findings.map(({ path }) => path) };
  return makeReport({ contract: CYCLE_CONTRACT, subject: id, mode: 'strict', findings, parsed });
}

/** The expected content of each document; undefined if it need not be there. */
const EXPECTED: Readonly<Record<DocumentName, (state: CycleState) => unknown>> = {
  requirements: ({ requirements }) => {
    if (!requirements) return undefined;
    const { version, specification, edge_cases } = requirements;
    return { version, specification, edge_cases };
  },
  plan: ({ plan }) => plan ?? undefined,
  changes: ({ changes }) => (changes ? withoutTotal(changes) : undefined),
  test_results: ({ test_results }) => test_results ?? undefined,
  timeline: ({ iterations }) => timelineLines(iterations).trim() || undefined,
};

/** The content of a text, read as a rebuild reads it; undefined if nothing in it can be read. */
const SAYS: Readonly<Record<DocumentName, (text: string, time: string) => unknown>> = {
  requirements: readRequirements,
  plan: (text, time) => readObject(text, (object) => planOf(object, time)),
  changes: (text) => {
    const { changes, badLines } = readChangesLog(text);
    return badLines.length > 0 ? undefined : withoutTotal(changes);
  },
  test_results: (text, time) => readObject(text, (object) => testResultsOf(object, time)),
  timeline: (text) => text.trim(),
};

function withoutTotal({ changes, iteration_markers }: NonNullable<CycleState['changes']>): object {
  return { changes, iteration_markers };
}

function readObject(text: string, read: (object: Record<string, unknown>) => unknown): unknown {
  const parsed = parseObject(text);
  return 'object' in parsed ? read(parsed.object) : undefined;
}

/** True if two JSON values are the same, in any order of their keys. They are not deep. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, at) => isSameJson(value, b[at]));
  }
  if (!isMap(a) || !isMap(b)) return a === b;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]));
}
