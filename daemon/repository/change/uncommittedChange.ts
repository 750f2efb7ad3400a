import { readdir } from 'node:fs/promises';
import { DevflowError } from '../../../schemas/errors.ts';
import { visible } from '../../../schemas/text/visible.ts';
import { type Checkout, withIndexCopy } from '../checkout/checkout.ts';
import { textOf } from '../git/pathBytes.ts';
import { parseStatus, statusArgs } from '../git/statusOutput.ts';
import { writeTree } from '../privateGit/privateIndex.ts';

export type CommittableFiles = 'staged' | 'worktree';

/** devflow makes this commit, not the person. -c overrides what their configuration says. */
const EMAIL = 'devflow@localhost';
const IDENTITY = ['user', 'author', 'committer'].flatMap((who) => [`${who}.name=devflow`, `${who}.email=${EMAIL}`]);

const SUBJECT: Readonly<Record<CommittableFiles, string>> = {
  staged: 'Staged changes',
  worktree: 'Uncommitted changes',
};

const SPLIT_INDEX = 'Give it one file (git update-index --no-split-index), or commit the changes.';

/** True for a commit of uncommitted files. Its message says nothing about the change. */
export function isOfUncommitted(email: string, message: string): boolean {
  return email === EMAIL && Object.values(SUBJECT).includes(message);
}

/**
 * Makes a commit object of what is staged, or of the files of the worktree that git does not ignore. Works on a copy of the
 * index. The same files on the same parent give the same commit.
 */
export async function commitFiles(checkout: Checkout, parent: string, of: CommittableFiles): Promise<string> {
  const { privateGit } = checkout;
  await refuseSplitIndex(checkout, SPLIT_INDEX);
  const tree = await withIndexCopy(checkout, async (index) => {
    if (of === 'staged') await refuseUnmerged(checkout, index);
    return writeTree(privateGit, index, of === 'staged' ? [] : await changedPaths(checkout, index));
  });
  const { stdout: seconds } = await privateGit.objects(['log', '-1', '--format=%ct', parent, '--'], { read: true });
  const { stdout: commit } = await privateGit.objects(['commit-tree', tree, '-p', parent, '-F', '-'], {
    input: `${SUBJECT[of]}\n`,
    settings: IDENTITY,
    at: new Date(Number(seconds) * 1000).toISOString(),
  });
  return commit;
}

/** Changed, deleted and untracked files. Repositories inside the worktree stay out, as in every commit of devflow. */
async function changedPaths(checkout: Checkout, index: string): Promise<string[]> {
  const { stdout } = await checkout.files(statusArgs('all'), { index, read: true, bytes: true });
  return parseStatus(stdout)
    .entries.filter(({ changed, untracked, path }) => changed && !(untracked && path.endsWith('/')))
    .map(({ path }) => path);
}

async function refuseUnmerged({ files, path }: Checkout, index: string): Promise<void> {
  const { stdout } = await files(['ls-files', '--unmerged', '-z'], { index, read: true, bytes: true });
  const unmerged = /^[^\t]*\t([^\0]*)/.exec(stdout)?.[1];
  if (unmerged === undefined) return;
  const message = `The index of ${path} has conflicts, first in ${visible(textOf(unmerged))}.`;
  throw new DevflowError('merge_conflict', message, {
    recoveryHint: 'Resolve them and stage the files, or review the files as they are with --worktree.',
  });
}

/** A split index has its entries in a second file, which a copy does not include. */
export async function refuseSplitIndex({ gitDir, path }: Checkout, recoveryHint: string): Promise<void> {
  const names = await readdir(gitDir).catch(() => [] as string[]);
  if (!names.some((name) => name.startsWith('sharedindex.'))) return;
  throw new DevflowError('git_failed', `${path} has a split index, which devflow does not copy.`, { recoveryHint });
}
