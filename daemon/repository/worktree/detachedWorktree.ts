import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../../../schemas/defined.ts';
import { createGit, type Git } from '../git/git.ts';
import { inTurn } from '../git/inTurn.ts';
import { refuseCheckout } from '../git/refuseCheckout.ts';
import { canonical, commonDirectory, exists, findWorktree } from '../git/repositoryFiles.ts';
import { openPrivateGit } from '../privateGit/privateGit.ts';
import { type AddWorktree, addWorktree } from './addWorktree.ts';
import { clearHalfMade, discard, removeEntry } from './halfMade.ts';
import { restoreFiles } from './restoreFiles.ts';

/** No commit of devflow is on this branch. */
export const NO_BRANCH = 'devflow/none';

/** A worktree without a branch: of the checks of merges, or of a reader in a review. Nothing in it is kept. */
export interface DetachedWorktree {
  repoPath: string;
  path: string;
  isCheckout?: true;
}

/**
 * Checks a commit out there. Makes the worktree, adopts it, or repairs what a crash, a check or an agent left. It has
 * exactly the files of the commit, and the ignored files from before. Returns its canonical path. Throws git_failed.
 */
export async function checkoutDetached(
  {
    repoPath,
    path,
    commit,
    isCheckout,
    ...options
  }: DetachedWorktree & { commit: string } & Pick<AddWorktree, 'filters' | 'onProgress'>,
  git: Git = createGit(),
): Promise<string> {
  refuseCheckout({ path, ...defined({ isCheckout }) });
  return inTurn(`detached ${path}`, async () => {
    const place = { repoPath, path, branch: NO_BRANCH, head: commit };
    await forgetMissing({ repoPath, path }, git);
    const { path: real, adopted } = await addWorktree({ ...options, ...place, startCommit: commit }, git);
    if (!adopted) return real;
    const privateGit = await openPrivateGit({ ...place, path: real }, git);
    // A check was killed while its git wrote the index.
    await rm(join(privateGit.entry.directory, 'index.lock'), { force: true });
    await restoreFiles(privateGit);
    return real;
  });
}

/** Removes the worktree with all that was left in it. Repeats itself after a kill. */
export async function removeDetachedWorktree(place: DetachedWorktree, git: Git = createGit()): Promise<void> {
  refuseCheckout(place);
  const { repoPath, path } = place;
  return inTurn(`detached ${path}`, async () => {
    const [real, common] = [await canonical(path), await commonDirectory(repoPath)];
    await clearHalfMade(real, common, git);
    await discard(real, common, git);
  });
}

/** Forgets a worktree whose directory is gone. Its commits are not kept: nothing in it is anybody's work. */
async function forgetMissing({ repoPath, path }: DetachedWorktree, git: Git): Promise<void> {
  const real = await canonical(path);
  const common = await commonDirectory(repoPath);
  const entry = await findWorktree(common, real);
  if (entry && !(await exists(real))) await removeEntry(real, common, entry, git);
}
