import type { Git } from '../git/git.ts';
import { endUnderWay } from '../git/underWay.ts';
import { automaticMerge } from '../merge/automaticMerge.ts';
import { endPrepared, type Prepared, writePrepared } from '../merge/preparedConflict.ts';
import { treeOf } from '../privateGit/history.ts';
import { isKept, keepCommit } from '../privateGit/keepCommit.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { NONE, readChanges, SUBMODULE } from '../tree/treeChanges.ts';
import { clearPath } from '../tree/treeFiles.ts';
import { restoreFiles } from '../worktree/restoreFiles.ts';
import { resolutionTree } from './resolutionTree.ts';

/**
 * Restores the files of a lane after an attempt to resolve a conflict failed. Its work, if any, stays as a commit below
 * `refs/devflow/kept`. A call that was killed has kept it already: what it left is half restored, and nobody's work.
 */
export async function endAttempt(privateGit: PrivateGit, prepared: Prepared, git: Git): Promise<void> {
  const { head, onto } = prepared;
  const merged = await automaticMerge(privateGit, head, onto);
  if (!prepared.isEnding) {
    await keepWork(privateGit, merged.tree, head);
    await writePrepared(privateGit, { ...prepared, isEnding: true });
  }
  // The lane may ignore files that the merge brought.
  const brought = (await readChanges(privateGit, head, merged.tree)).filter(({ oldMode }) => oldMode === NONE);
  for (const { path, newMode } of brought) if (newMode !== SUBMODULE) await clearPath(privateGit.path, path);
  await restoreFiles(privateGit, git, { keepsRepositories: true });
  await endUnderWay(privateGit.entry.directory);
  await endPrepared(privateGit);
}

async function keepWork(privateGit: PrivateGit, merged: string, head: string): Promise<void> {
  const tree = await resolutionTree(privateGit, merged);
  const isWork = tree !== merged && tree !== (await treeOf(privateGit, head));
  if (isWork && !(await isKept(privateGit, tree))) await keepTree(privateGit, tree, head);
}

async function keepTree(privateGit: PrivateGit, tree: string, head: string): Promise<void> {
  const input = 'devflow: an attempt to resolve a conflict\n';
  const settings = privateGit.hasIdentity ? [] : ['user.name=devflow', 'user.email=devflow@localhost'];
  const made = await privateGit.objects(['commit-tree', tree, '-p', head, '-F', '-'], { input, settings });
  await keepCommit(privateGit, made.stdout);
}
