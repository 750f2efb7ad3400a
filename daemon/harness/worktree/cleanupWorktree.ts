import { createGit, type Git } from '../git/git.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { removeWorktree } from './removeWorktree.ts';
import { salvage } from './salvage.ts';

export interface CleanupWorktree extends WorktreePlace {
  /** `WORKSPACE_ROOT/<runId>`. */
  runDir: string;
  laneId: string;
  /** Only with a person's decision on the gate: take a dirty worktree away too, after keeping a copy. */
  force?: boolean;
}

export interface CleanedWorktree {
  /** Where a copy of the uncommitted work is; null when there was none. */
  salvaged: string | null;
  /** Refs to commits that no branch has; absent if there are none. */
  keptRefs?: string[];
}

/**
 * Removes a worktree and leaves its branch. Throws worktree_dirty without `force`. With it
 * nothing is forced either: the uncommitted work is copied first.
 */
export async function cleanupWorktree(input: CleanupWorktree, git: Git = createGit()): Promise<CleanedWorktree> {
  const keep = input.force ? () => salvage(input, git) : undefined;
  const { saved, keptRefs } = await removeWorktree(input, git, keep);
  return { salvaged: saved, ...(keptRefs.length === 0 ? {} : { keptRefs }) };
}
