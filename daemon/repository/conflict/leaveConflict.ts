import { createGit, type Git } from '../git/git.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { withMovable } from '../merge/advanceBranch.ts';
import { endAttempt } from './endAttempt.ts';
import { openAttempt } from './openAttempt.ts';

/**
 * Ends a conflict that devflow prepared in a lane. Nobody resolves it any more, because a person rejected the lane.
 * Keeps the agent's work below `refs/devflow/kept`. Without such a conflict, nothing changes.
 */
export function leaveConflict(
  { worktree, head }: { worktree: WorktreePlace; head: string },
  git: Git = createGit(),
): Promise<void> {
  return withMovable(worktree, git, async (privateGit) => {
    const open = await openAttempt(privateGit, head);
    if (open) await endAttempt(privateGit, open, git);
  });
}
