import { createGit, type Git } from '../git/git.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { withMovable } from '../merge/advanceBranch.ts';
import { endAttempt } from './endAttempt.ts';
import { openAttempt } from './openAttempt.ts';

/**
 * Ends a conflict that devflow prepared in a lane, where nobody resolves it any more: a person rejected the lane meanwhile.
 * The work of its agent is kept below `refs/devflow/kept`. Without such a conflict, nothing changes.
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
