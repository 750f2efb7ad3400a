import { childrenOf, type Entry, type TreeSnapshot, type Wanted } from '../report/tree.ts';
import { classifyEntry } from './classify.ts';
import { STATE_CONTRACT, STATE_CONTRACTS, STATE_DIR, type StateContract } from './contract.ts';

/** Signs of the contract in force, beside the names of the directory itself. */
export const WANTED_MARKS: readonly Wanted[] = STATE_CONTRACTS.flatMap(({ marks }) =>
  marks.directories.map((name) => ({
    path: `${STATE_DIR}/${name}`,
    depth: 1,
    text: () => false,
    isEnough: () => true,
  })),
);

interface InForce {
  contract: StateContract;
  /** The names that show it; empty for the oldest version, which needs none. */
  marks: string[];
}

/** The contract of a state directory: the newest of which it has a name that older versions do not have. */
export function contractInForce(tree: TreeSnapshot): InForce {
  const entries = childrenOf(tree, STATE_DIR);
  const isFilled = (name: string) => childrenOf(tree, `${STATE_DIR}/${name}`).length > 0;
  for (const contract of STATE_CONTRACTS.toReversed()) {
    const marks = entries.filter((entry) => isMark(entry, contract, isFilled)).map(({ name }) => name);
    if (marks.length > 0) return { contract, marks };
  }
  return { contract: STATE_CONTRACT, marks: [] };
}

/** An empty directory says nothing: anybody may have made it. */
function isMark(
  { name, kind }: { name: string; kind: Entry['kind'] },
  { marks }: StateContract,
  isFilled: (name: string) => boolean,
): boolean {
  if (kind === 'dir') return marks.directories.includes(name) && isFilled(name);
  return kind === 'file' && marks.files.includes(name);
}

/** The end of a sentence about an ad hoc name: it says if a newer contract knows the name. */
export function unknownTo(entry: { name: string; kind: Entry['kind'] }, { id }: StateContract): string {
  const at = STATE_CONTRACTS.findIndex((each) => each.id === id);
  const newer = STATE_CONTRACTS.slice(at + 1).find((each) => classifyEntry(entry, each) !== 'ad_hoc');
  return `matches nothing in the contract.${newer ? ` It is newer than ${id}: ${newer.id} knows it.` : ''}`;
}
