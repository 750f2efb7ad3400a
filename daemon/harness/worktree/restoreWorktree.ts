import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fillSubmodules } from '../git/fillSubmodules.ts';
import { createGit, type Git } from '../git/git.ts';
import { inTurn } from '../git/inTurn.ts';
import { canonical, commonDirectory, findWorktree, isDirectory } from '../git/repositoryFiles.ts';
import { clonesOf } from '../git/submodules.ts';
import { makeLane } from '../lane/lane.ts';
import { settleWorktree } from '../lane/laneHead.ts';
import { giveIndex, syncIndex } from '../lane/laneIndex.ts';
import { type AddWorktree, addEmpty, addWorktree, moveEntry } from './addWorktree.ts';

/**
 * Restores a missing worktree from its branch, or from `startCommit` if the branch is gone too. Uncommitted changes are
 * lost. False if the directory exists.
 */
export async function restoreWorktree(input: AddWorktree, git: Git = createGit()): Promise<boolean> {
  if (await isDirectory(input.path)) return false;
  await addWorktree(input, git);
  return true;
}

/**
 * Tells git again of a worktree that it has forgotten (`git worktree prune`, a moved repository). The files stay where
 * they are at every moment. Does nothing when the directory is gone.
 */
export async function registerWorktree(input: AddWorktree, git: Git = createGit()): Promise<void> {
  if (!(await isDirectory(input.path))) return;
  const path = await canonical(input.path);
  const common = await commonDirectory(input.repoPath);
  if (await findWorktree(common, path)) return;
  await inTurn(input.repoPath, async () => {
    if (await findWorktree(common, path)) return;
    const place = { repoPath: input.repoPath, path, branch: input.branch };
    const { adding, made } = await addEmpty(input, place, common, git);
    const lane = await makeLane(place, common, made, git, input.filters ?? []);
    await syncIndex(lane, 'HEAD');
    await giveIndex(lane);
    const clones = await clonesOf(input.repoPath);
    await fillSubmodules(lane, { clones, path, filters: input.filters ?? [], keepFiles: true }, git);
    await moveEntry(git, common, made, adding, path);
    await settleWorktree(lane);
    await rm(adding, { recursive: true, force: true });
    await rmdir(dirname(adding)).catch(() => {});
  });
}
