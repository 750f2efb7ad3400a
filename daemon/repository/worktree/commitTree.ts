import { measure, treeOf } from '../privateGit/history.ts';
import { openPrivateGit } from '../privateGit/privateGit.ts';
import { type CommitWork, recordCommit } from './commitMessage.ts';
import type { CommittedWork } from './commitWork.ts';
import { restoreFiles } from './restoreFiles.ts';
import { settleWorktree } from './worktreeHead.ts';

export interface CommitTree extends CommitWork {
  /** The commit whose files the branch gets. */
  like: string;
}

/**
 * Brings the branch to the files of another commit by a commit of its own, if they differ. The worktree gets exactly
 * these files, and uncommitted changes are lost. A second call after a kill does the rest. Throws git_failed.
 */
export async function commitTree(input: CommitTree): Promise<CommittedWork> {
  const privateGit = await openPrivateGit(input.worktree);
  const { stdout: tip } = await privateGit.objects(['rev-parse', '--verify', `refs/heads/${privateGit.branch}`], {
    read: true,
  });
  const tree = await treeOf(privateGit, input.like);
  if ((await treeOf(privateGit, tip)) !== tree) await recordCommit(privateGit, input, { tree, parents: [tip], tip });
  await settleWorktree(privateGit);
  await restoreFiles(privateGit);
  const { stdout: now } = await privateGit.objects(['rev-parse', '--verify', `refs/heads/${privateGit.branch}`], {
    read: true,
  });
  if (now === input.since) return { commit: null, files: 0, insertions: 0, deletions: 0 };
  return { commit: now, ...(await measure(privateGit, input.since, now)) };
}
