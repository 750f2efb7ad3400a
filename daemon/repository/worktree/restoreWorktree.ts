import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createGit, type Git } from '../git/git.ts';
import { inTurn } from '../git/inTurn.ts';
import { refuseCheckout } from '../git/refuseCheckout.ts';
import { canonical, commonDirectory, findWorktree, isDirectory } from '../git/repositoryFiles.ts';
import { giveBack } from '../privateGit/keptBeside.ts';
import { addExcluded } from '../privateGit/ownExcludes.ts';
import { makePrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex, syncIndex } from '../privateGit/privateIndex.ts';
import { fillSubmodules } from '../submodule/fillSubmodules.ts';
import { clonesOf } from '../submodule/findSubmodules.ts';
import { type AddWorktree, addEmpty, addWorktree, moveEntry } from './addWorktree.ts';
import { settleWorktree } from './worktreeHead.ts';

/**
 * Restores a missing worktree from its branch, or from `startCommit` if the branch is gone too. Uncommitted changes are
 * lost. False if the directory exists.
 */
export async function restoreWorktree(input: AddWorktree, git: Git = createGit()): Promise<boolean> {
  refuseCheckout(input);
  if (await isDirectory(input.path)) return false;
  await addWorktree(input, git);
  return true;
}

/**
 * Registers an existing worktree with git again, if git lost its entry (`git worktree prune`, a moved repository). It never
 * moves the files. Does nothing if the directory is gone.
 */
export async function registerWorktree(input: AddWorktree, git: Git = createGit()): Promise<void> {
  refuseCheckout(input);
  if (!(await isDirectory(input.path))) return;
  const path = await canonical(input.path);
  const common = await commonDirectory(input.repoPath);
  if (await findWorktree(common, path)) return;
  await inTurn(input.repoPath, async () => {
    if (await findWorktree(common, path)) return;
    const place = { repoPath: input.repoPath, path, branch: input.branch };
    const { adding, made } = await addEmpty(input, place, common, git);
    const privateGit = await makePrivateGit(place, common, made, git, input.filters ?? []);
    await giveBack(privateGit);
    await addExcluded(privateGit, []);
    await syncIndex(privateGit, 'HEAD');
    await giveIndex(privateGit);
    const clones = await clonesOf(input.repoPath);
    await fillSubmodules(privateGit, { clones, path, filters: input.filters ?? [], keepFiles: true });
    await moveEntry(git, common, made, adding, path);
    await settleWorktree(privateGit);
    await rm(adding, { recursive: true, force: true });
    await rmdir(dirname(adding)).catch(() => {});
  });
}
