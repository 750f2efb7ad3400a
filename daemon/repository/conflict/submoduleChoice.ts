import { textOf } from '../git/pathBytes.ts';
import type { Stage } from '../tree/mergeTrees.ts';
import { SUBMODULE } from '../tree/treeChanges.ts';
import type { ResolvedHunk } from './groupProof.ts';

const SIDES = { ours: 2, theirs: 3 } as const;

/** git's index reads this mode as no file. */
const REMOVED = { mode: '0' };
const zerosFor = ([one]: readonly Stage[]) => '0'.repeat(one?.id.length ?? 40);

/** The commits of submodules that the hunks choose. devflow commits no other: an agent's commits there stay in the worktree. */
export function chosenSubmodules(
  stages: readonly Stage[],
  hunks: readonly ResolvedHunk[],
): { chosen: Stage[]; faults: string[] } {
  const chosen: Stage[] = [];
  const faults: string[] = [];
  const versions = stages.filter(({ mode, stage }) => mode === SUBMODULE && stage !== 1);
  for (const path of new Set(versions.map((each) => each.path))) {
    const decision = hunks.find((hunk) => hunk.path === textOf(path))?.decision;
    const side = decision === 'ours' || decision === 'theirs' ? SIDES[decision] : undefined;
    const own = versions.filter((each) => each.path === path);
    if (side === undefined) faults.push(`${textOf(path)} is a submodule: decide for ours or for theirs.`);
    else chosen.push(own.find(({ stage }) => stage === side) ?? { ...REMOVED, path, stage: side, id: zerosFor(own) });
  }
  return { chosen, faults };
}
