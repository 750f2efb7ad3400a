import { DevflowError } from '../../../schemas/errors.ts';
import type { PrivateGit } from './privateGit.ts';

export interface WorkCommit {
  /** The newest commit of the work. */
  head: string;
  /** False where somebody deleted the branch. */
  hasBranch: boolean;
}

/**
 * The newest commit of a run's branch. Where the branch is gone it is the last one that the log names, which the
 * repository may still have: a ref below `refs/devflow/kept`, or a branch that took it over. Throws branch_missing.
 */
export async function findWork(privateGit: PrivateGit, lastCommit: string): Promise<WorkCommit> {
  const tip = await commitNamed(privateGit, `refs/heads/${privateGit.branch}`);
  if (tip !== undefined) return { head: tip, hasBranch: true };
  const known = await commitNamed(privateGit, lastCommit);
  if (known !== undefined) return { head: known, hasBranch: false };
  const message = `The branch ${privateGit.branch} is gone from ${privateGit.repoPath}, and its commit ${lastCommit.slice(0, 12)} as well.`;
  throw new DevflowError('branch_missing', message, {
    recoveryHint: 'Fetch the commit from where it went, then try again.',
  });
}

/** Undefined where there is no such commit. */
export async function commitNamed(privateGit: PrivateGit, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { stdout } = await privateGit.objects(args, { read: true, accept: [0, 1, 128] });
  return stdout === '' ? undefined : stdout;
}
