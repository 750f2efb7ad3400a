import { DevflowError } from '../../../schemas/errors.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed } from '../privateGit/workCommit.ts';

/** The newest commit of the worktree's branch. Throws git_failed if somebody deleted the branch. */
export async function branchTip(privateGit: PrivateGit): Promise<string> {
  const tip = await commitNamed(privateGit, `refs/heads/${privateGit.branch}`);
  if (tip !== undefined) return tip;
  throw new DevflowError('git_failed', `The branch ${privateGit.branch} is gone from ${privateGit.repoPath}.`, {
    recoveryHint: `Restore it, then approve to try again: git -C ${privateGit.repoPath} branch ${privateGit.branch} <commit>`,
  });
}

/** Moves the branch, unless it is no longer at `from`. Returns whether it is at `to` now. */
export async function moveBranch(
  privateGit: PrivateGit,
  { from, to, why }: { from: string; to: string; why: string },
): Promise<boolean> {
  const ref = `refs/heads/${privateGit.branch}`;
  try {
    await privateGit.objects(['update-ref', '--no-deref', '-m', why, ref, to, from]);
    return true;
  } catch (error) {
    // On a full disk git may fail after it moved the branch, when it writes the reflog.
    const tip = await branchTip(privateGit);
    if (tip === from) throw error;
    return tip === to;
  }
}
