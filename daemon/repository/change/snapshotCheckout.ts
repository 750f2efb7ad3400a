import type { CommittedWork } from '../../../schemas/events/phase.ts';
import type { WorktreeState } from '../../../schemas/worktreeState.ts';
import { withCheckout } from '../checkout/checkout.ts';
import { createGit, type Git } from '../git/git.ts';
import { commonDirectory } from '../git/repositoryFiles.ts';
import { measure, treeOf } from '../privateGit/history.ts';
import { withPrivateGit } from '../privateGit/temporaryGit.ts';
import { commitFiles } from './uncommittedChange.ts';

/** The refs of a run's snapshots. Each is named for its commit, so none of them moves. */
export const snapshotRefs = (runId: string) => `refs/devflow/${runId}/here`;

export interface SnapshotOf {
  /** The top level of the checkout. */
  path: string;
  runId: string;
  /** The commit that the run started from: the parent of all its snapshots. */
  base: string;
}

/**
 * Makes a commit object of the files of a person's checkout, and a ref that keeps it. The same files always give the same commit,
 * wherever the person's HEAD is. It changes neither files, index, HEAD nor settings. Throws git_failed.
 */
export async function snapshotCheckout(
  { path, runId, base }: SnapshotOf,
  git: Git = createGit(),
): Promise<WorktreeState> {
  return withCheckout(path, git, async (checkout) => {
    const { privateGit } = checkout;
    const commit = await commitFiles(checkout, base, 'worktree');
    const tree = await treeOf(privateGit, commit);
    const isBase = tree === (await treeOf(privateGit, base));
    if (!isBase) await privateGit.objects(['update-ref', `${snapshotRefs(runId)}/${commit}`, commit]);
    return { head: isBase ? base : commit, tree, files: [], uncommitted: null };
  });
}

/** The snapshot, and the work in it since an earlier commit of the run. */
export async function snapshotSince(
  of: SnapshotOf,
  since: string,
  git: Git = createGit(),
): Promise<{ worktree: WorktreeState; work: CommittedWork }> {
  const worktree = await snapshotCheckout(of, git);
  if (worktree.head === since) return { worktree, work: { commit: null, files: 0, insertions: 0, deletions: 0 } };
  const place = { repoPath: of.path, path: of.path, branch: '', head: worktree.head, isCheckout: true as const };
  const size = await withPrivateGit(place, git, (privateGit) => measure(privateGit, since, worktree.head));
  return { worktree, work: { commit: worktree.head, ...size } };
}

/** The snapshots that refs keep. */
export async function listSnapshots(repoPath: string, runId: string, git: Git = createGit()): Promise<string[]> {
  const gitDir = await commonDirectory(repoPath);
  const args = ['for-each-ref', '--sort=creatordate', '--format=%(objectname)', `${snapshotRefs(runId)}/`];
  return (await git.read(gitDir, args, { gitDir })).split('\n').filter(Boolean);
}
