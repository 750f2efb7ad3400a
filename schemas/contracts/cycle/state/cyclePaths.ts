import { childrenOf, type TreeSnapshot, type Wanted } from '../../report/tree.ts';
import { isCycleId } from './cycleId.ts';
import { AGENTS } from './cycleState.ts';

export const CYCLE_CONTRACT = 'cycle/cycle-state@1';
export const CYCLES = '.workflow/.cycle';

/** The documents of the progress directory, by what they show. */
export const DOCUMENTS = {
  requirements: 'ra/requirements.md',
  plan: 'ep/plan.json',
  changes: 'cd/changes.log',
  test_results: 'vas/test-results.json',
  timeline: 'coordination/timeline.md',
} as const;
export type DocumentName = keyof typeof DOCUMENTS;

export const PROGRESS_DIRECTORIES = [...AGENTS, 'coordination'] as const;

export function statePath(id: string): string {
  return `${CYCLES}/${id}.json`;
}

export function progressPath(id: string, path = ''): string {
  return `${CYCLES}/${id}.progress${path === '' ? '' : `/${path}`}`;
}

export function documentPath(id: string, name: DocumentName): string {
  return progressPath(id, DOCUMENTS[name]);
}

/** To list the cycles. */
export const CYCLE_NAMES: Wanted = { path: CYCLES, depth: 1, text: () => false };

/** To check all states. */
export const CYCLE_STATES: Wanted = { path: CYCLES, depth: 1, text: (path) => idOf(path) !== undefined };

/** To act on one cycle. */
export function wantedOf(id: string): Wanted[] {
  const documents = (Object.keys(DOCUMENTS) as DocumentName[]).map((name) => ({ path: documentPath(id, name) }));
  return [{ path: statePath(id) }, { path: progressPath(id) }, ...documents];
}

/** The ids of the cycles, sorted. Directories, copies and files of others are none. */
export function cycleIds(tree: TreeSnapshot): string[] {
  return childrenOf(tree, CYCLES).flatMap(({ path, kind }) => (kind === 'dir' ? [] : (idOf(path) ?? [])));
}

/** The id of a state file. */
export function idOf(path: string): string | undefined {
  const name = path.startsWith(`${CYCLES}/`) && path.endsWith('.json') ? path.slice(CYCLES.length + 1, -5) : '';
  return isCycleId(name) ? name : undefined;
}
