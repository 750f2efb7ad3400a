import { childrenOf, type Entry, type TreeSnapshot, type Wanted } from '../report/tree.ts';
import { type Bucket, classifyEntry } from './classify.ts';
import { DAY_MS, STATE_CONTRACT, STATE_DIR } from './contract.ts';
import { contractInForce, WANTED_MARKS } from './contractInForce.ts';

/** An entry directly in the state directory. */
export interface StateEntry extends Entry {
  name: string;
  bucket: Bucket;
}

/** The reads for names and times of the directory. */
export const WANTED_NAMES: readonly Wanted[] = [{ path: STATE_DIR, depth: 1, text: () => false }, ...WANTED_MARKS];

/** The entries by name; undefined if there is no state directory. A link in its place counts as none. */
export function stateEntries(tree: TreeSnapshot): StateEntry[] | undefined {
  if (tree.entries.get(STATE_DIR)?.kind !== 'dir') return undefined;
  const { contract } = contractInForce(tree);
  return childrenOf(tree, STATE_DIR).map((entry) => ({ ...entry, bucket: classifyEntry(entry, contract) }));
}

/** The bytes that an entry counts for. Those of a directory depend on the file system and say nothing. */
export function bytesOf({ kind, size }: Entry): number {
  return kind === 'dir' ? 0 : size;
}

/** True if a slug variant is so old that a cleanup takes it. */
export function isStale(
  { bucket, mtime }: StateEntry,
  now: number,
  staleDays: number = STATE_CONTRACT.staleDays,
): boolean {
  return bucket === 'pattern_allowed' && now - mtime > staleDays * DAY_MS;
}
