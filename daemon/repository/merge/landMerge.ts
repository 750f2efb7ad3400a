import type { WorktreePlace } from '../git/worktreePlace.ts';
import { isAncestor } from '../privateGit/history.ts';
import { advanceBranch, withMovable } from './advanceBranch.ts';
import { branchTip } from './branchTip.ts';

export interface LandMerge {
  /** The worktree whose branch gets the commits. */
  worktree: WorktreePlace;
  /** The commit that the branch must have. */
  from: string;
  /** A commit that contains `from`. */
  to: string;
  /** For the reflog. */
  laneIds: readonly string[];
}

/** `head`: the newest commit of the branch, if it did not land. */
export type Landed = { landed: true } | { landed: false; head: string };

/**
 * Moves a branch to a tested merge, with the files of its worktree. It has landed if the branch contains `to` already. If
 * somebody else moved the branch, nothing changes. Throws git_failed if uncommitted files would be lost.
 */
export function landMerge(input: LandMerge): Promise<Landed> {
  const { worktree, from, to, laneIds } = input;
  return withMovable(worktree, async (privateGit) => {
    const tip = await branchTip(privateGit);
    if (await isAncestor(privateGit, to, tip)) return { landed: true };
    const why = `devflow: land ${laneIds.join(', ')}`;
    const moved = tip === from && (await advanceBranch(privateGit, { from, to, why }));
    return moved ? { landed: true } : { landed: false, head: await branchTip(privateGit) };
  });
}
