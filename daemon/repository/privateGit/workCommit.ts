import { DevflowError } from '../../../schemas/errors.ts';
import type { PrivateGit } from './privateGit.ts';

export interface WorkCommit {
  /** The newest commit of the work. */
  head: string;
  /** False if somebody deleted the branch. */
  hasBranch: boolean;
}

/**
 * The newest commit of a run's branch. Without the branch, it is the last commit of the log, if the repository still
 * has it. Such a commit is below `refs/devflow/kept` or in another branch. Throws branch_missing.
 */
export async function findWork(privateGit: PrivateGit, lastCommit: string): Promise<WorkCommit> {
  const tip = await commitNamed(privateGit, `refs/heads/${privateGit.branch}`);
  if (tip !== undefined) return { head: tip, hasBranch: true };
  const known = await commitNamed(privateGit, lastCommit);
  if (known !== undefined) return { head: known, hasBranch: false };
  const commit = lastCommit.slice(0, 12);
  const what =
    privateGit.head === undefined
      ? `The branch ${privateGit.branch} and its commit ${commit} are`
      : `The commit ${commit} is`;
  const message = `${what} gone from ${privateGit.repoPath}.`;
  throw new DevflowError('branch_missing', message, {
    recoveryHint: 'Fetch the commit from another clone, then try again.',
  });
}

/** Undefined if there is no such commit. */
export async function commitNamed(privateGit: PrivateGit, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { stdout } = await privateGit.objects(args, { read: true, accept: [0, 1, 128] });
  return stdout === '' ? undefined : stdout;
}
