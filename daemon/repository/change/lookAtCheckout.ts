import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { withCheckout } from '../checkout/checkout.ts';
import { createGit, type Git } from '../git/git.ts';
import { isDirectory } from '../git/repositoryFiles.ts';
import { refuseSplitIndex } from './uncommittedChange.ts';

/** Throws `repo_invalid` for a checkout in which no run can work. Only looks. */
export async function lookAtCheckout(path: string, git: Git = createGit()): Promise<void> {
  await withCheckout(path, git, async (checkout) => {
    const { gitDir, commit } = checkout;
    if (await isDirectory(join(gitDir, 'devflow'))) {
      throw unfit(`${path} is a worktree of devflow.`, 'Start in your own checkout, or leave out --here.');
    }
    if (commit === null) throw unfit(`${path} has no commit yet.`, 'Make the first commit.');
    await refuseSplitIndex(checkout, 'Give it one file: git update-index --no-split-index. Or leave out --here.');
  });
}

function unfit(message: string, recoveryHint: string): DevflowError {
  return new DevflowError('repo_invalid', message, { recoveryHint });
}
