import type { WorktreePlace } from '../git/worktreePlace.ts';
import { removeWorktree } from './removeWorktree.ts';
import { salvage } from './salvage.ts';

export interface CleanupWorktree extends WorktreePlace {
  /** `WORKSPACE_ROOT/<runId>`. */
  runDir: string;
  laneId: string;
  /** Also removes a worktree with uncommitted changes, after copying them. Only after a person approved the gate. */
  force?: boolean;
}

export interface CleanedWorktree {
  /** The directory with the copy of uncommitted work; null if there was none. */
  salvaged: string | null;
  /** Refs to commits that no branch has; absent if there are none. */
  keptRefs?: string[];
}

/** Removes a worktree and keeps its branch. Throws worktree_dirty without `force`; with it, first copies uncommitted work. */
export async function cleanupWorktree(input: CleanupWorktree): Promise<CleanedWorktree> {
  const keep = input.force ? () => salvage(input) : undefined;
  const { saved, keptRefs } = await removeWorktree(input, keep);
  return { salvaged: saved, ...(keptRefs.length === 0 ? {} : { keptRefs }) };
}
