import { type ContractPart, makeReport, type Report } from '../report/report.ts';
import { type TreeSnapshot, textOf, type Wanted } from '../report/tree.ts';
import { compareInternalState, type InternalState, WANTED_INTERNAL } from './internalState.ts';
import { POINTER_CONTRACT, POINTER_FILE, type ReadPointer } from './pointer.ts';
import { readPointer } from './readPointer.ts';
import { crossCheck } from './reconcile.ts';
import { REPO_CONFIG, WANTED_BY_FLOW } from './resolveFlow.ts';
import { wantedByRules } from './scan.ts';
import { type StepState, summarize } from './summary.ts';

export interface ShownPointer {
  pointer: ReadPointer;
  summary: StepState[];
  internal: InternalState | null;
}

/** The verdict about the pointer, also by the folders, and the list of steps. */
export function showPointer(tree: TreeSnapshot): Report<ShownPointer> {
  const { pointer, read, findings } = readPointer(textOf(tree, POINTER_FILE));
  const { internal, findings: internalFindings } = compareInternalState(tree, pointer);
  return makeReport({
    contract: POINTER_CONTRACT,
    subject: POINTER_FILE,
    mode: 'strict',
    findings: [...findings, ...crossCheck(tree, pointer), ...internalFindings],
    parsed: read && { pointer: read, summary: summarize(read), internal },
  });
}

export const autodevPart: ContractPart = {
  wanted: [{ path: POINTER_FILE }, ...WANTED_INTERNAL, { path: REPO_CONFIG }, ...wantedByRules()],
  detect: (tree) => (tree.entries.has(POINTER_FILE) ? [{ contract: POINTER_CONTRACT, path: POINTER_FILE }] : []),
  check: (tree) => [showPointer(tree)],
};

/** The folders that detection reads: those of all flows. */
export const WANTED_FOR_DETECTION: readonly Wanted[] = [...autodevPart.wanted, ...WANTED_BY_FLOW];
