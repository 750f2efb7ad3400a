import { inTurn } from '../git/inTurn.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { moveBranch } from './branchTip.ts';
import { endMove, writeMove } from './journal.ts';
import { assertMovable, finishInterruptedMove, moveFiles, settleMoved } from './moveFiles.ts';

/** Calls `use` with a worktree in which no move is left unfinished. One at a time in each worktree. */
export async function withMovable<T>(place: WorktreePlace, use: (privateGit: PrivateGit) => Promise<T>): Promise<T> {
  const privateGit = await openPrivateGit(place);
  return inTurn(`move ${privateGit.gitDir}`, async () => {
    await finishInterruptedMove(privateGit);
    return use(privateGit);
  });
}

/**
 * Moves the branch of a worktree from one commit to another, and then its files. The branch decides: after a kill, the next
 * call brings the files to it. False if somebody else moved the branch. Throws git_failed, before anything changes, if
 * uncommitted files would be lost.
 */
export async function advanceBranch(
  privateGit: PrivateGit,
  { from, to, why }: { from: string; to: string; why: string },
): Promise<boolean> {
  await assertMovable(privateGit, { from, to });
  await writeMove(privateGit, { from, to, movesBranch: true });
  if (!(await moveBranch(privateGit, { from, to, why }))) {
    await endMove(privateGit);
    return false;
  }
  await moveFiles(privateGit, { from, to });
  await settleMoved(privateGit);
  await endMove(privateGit);
  return true;
}
