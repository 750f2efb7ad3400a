import type { WorktreePlace } from '../git/worktreePlace.ts';
import { withMovable } from '../merge/advanceBranch.ts';
import { branchTip, moveBranch } from '../merge/branchTip.ts';
import { endPrepared } from '../merge/journal.ts';
import { mergeCommit } from '../merge/mergeCommit.ts';
import { settleMoved } from '../merge/moveFiles.ts';
import { syncIndex } from '../privateGit/privateIndex.ts';

export interface CommitResolution {
  /** The worktree of the lane. */
  worktree: WorktreePlace;
  /** The commits of `prepareConflict`. */
  head: string;
  onto: string;
  /** From `proveResolution`. */
  tree: string;
  runId: string;
  laneId: string;
  /** The time of the commit (ISO 8601, UTC). */
  at: string;
  /** A commit of this tree that the branch has already. */
  earlier?: string;
}

/**
 * Commits a proven resolution to the branch of the lane, whose files have it already. Repeats itself after a kill. `raced`:
 * another commit of the branch, if somebody else moved it.
 */
export function commitResolution(input: CommitResolution): Promise<{ commit: string } | { raced: string }> {
  const { worktree, head, onto, tree, runId, laneId, at } = input;
  return withMovable(worktree, async (privateGit) => {
    const subject = `devflow: merge main into ${laneId}`;
    const parents = [head, onto] as const;
    const commit = input.earlier ?? (await mergeCommit(privateGit, { tree, parents, subject, runId, laneId, at }));
    const tip = await branchTip(privateGit);
    const isThere = tip === commit || (await moveBranch(privateGit, { from: head, to: commit, why: subject }));
    if (!isThere) return { raced: await branchTip(privateGit) };
    await syncIndex(privateGit, 'HEAD');
    await settleMoved(privateGit);
    await endPrepared(privateGit);
    return { commit };
  });
}
