import { endUnderWay } from '../git/underWay.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { withMovable } from '../merge/advanceBranch.ts';
import { automaticMerge } from '../merge/automaticMerge.ts';
import { endPrepared, type Prepared, readPrepared, writePrepared } from '../merge/journal.ts';
import { isAncestor, treeOf } from '../privateGit/history.ts';
import { isKept, keepCommit } from '../privateGit/keepCommit.ts';
import { identitySettings, type PrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed } from '../privateGit/workCommit.ts';
import { NONE, readChanges, SUBMODULE } from '../tree/treeChanges.ts';
import { clearPath } from '../tree/treeFiles.ts';
import { restoreFiles } from '../worktree/restoreFiles.ts';
import { resolutionTree } from './resolutionTree.ts';

/**
 * The conflict that is prepared in the worktree of a lane with this head. Takes back the agent's commits: while a
 * conflict is prepared, every commit on the branch is an agent's.
 */
export async function openAttempt(privateGit: PrivateGit, head: string): Promise<Prepared | undefined> {
  const prepared = await readPrepared(privateGit);
  if (!prepared) return undefined;
  // A conflict can be prepared with late commits that nobody recorded yet as the head of the lane.
  if (prepared.head !== head && !(await isAncestor(privateGit, head, prepared.head))) return undefined;
  await takeBack(privateGit, prepared.head);
  return prepared;
}

/**
 * Puts the branch of a lane back to `head`, where it was when devflow prepared a conflict. Commits of the agent stay below
 * `refs/devflow/kept`. Changes no file. Fails if somebody moves the branch meanwhile.
 */
async function takeBack(privateGit: PrivateGit, head: string): Promise<void> {
  const ref = `refs/heads/${privateGit.branch}`;
  const tip = await commitNamed(privateGit, ref);
  if (tip === head) return;
  if (tip !== undefined) await keepCommit(privateGit, tip);
  const why = "devflow: take back an agent's commit";
  // To git, zeros as the old value mean that the branch must not exist.
  await privateGit.objects(['update-ref', '--no-deref', '-m', why, ref, head, tip ?? '0'.repeat(head.length)]);
}

/**
 * Restores the files of a lane after an attempt to resolve a conflict failed. Its work, if any, stays as a commit below
 * `refs/devflow/kept`. A call that was killed has kept it already: what it left is half restored, and nobody's work.
 */
export async function endAttempt(privateGit: PrivateGit, prepared: Prepared): Promise<void> {
  const { head, onto } = prepared;
  const merged = await automaticMerge(privateGit, head, onto);
  if (!prepared.isEnding) {
    await keepWork(privateGit, merged.tree, head);
    await writePrepared(privateGit, { ...prepared, isEnding: true });
  }
  // The lane may ignore files that the merge brought.
  const brought = (await readChanges(privateGit, head, merged.tree)).filter(({ oldMode }) => oldMode === NONE);
  for (const { path, newMode } of brought) if (newMode !== SUBMODULE) await clearPath(privateGit.path, path);
  await restoreFiles(privateGit, { keepsRepositories: true });
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
  const settings = identitySettings(privateGit);
  const made = await privateGit.objects(['commit-tree', tree, '-p', head, '-F', '-'], { input, settings });
  await keepCommit(privateGit, made.stdout);
}

/**
 * Ends a conflict that devflow prepared in a lane. Nobody resolves it any more, because a person rejected the lane.
 * Keeps the agent's work below `refs/devflow/kept`. Without such a conflict, nothing changes.
 */
export function leaveConflict({ worktree, head }: { worktree: WorktreePlace; head: string }): Promise<void> {
  return withMovable(worktree, async (privateGit) => {
    const open = await openAttempt(privateGit, head);
    if (open) await endAttempt(privateGit, open);
  });
}
