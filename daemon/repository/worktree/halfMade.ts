import { rename, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { removeTree } from '../../../schemas/files/removeTree.ts';
import type { Git } from '../git/git.ts';
import { exists, findWorktree, type WorktreeEntry } from '../git/repositoryFiles.ts';
import { forgetBeside } from '../privateGit/keptBeside.ts';

/** git's lock reason for an unfinished worktree. devflow keeps the lock until all files are written. */
export const UNFINISHED = 'initializing';
/** A directory beside the worktrees of a run. No worktree has such a name. */
const ADDING = '.adding';

/**
 * The directory in which a worktree is made before it moves to `path`. So a directory at `path` is complete, even after
 * a crash.
 */
export function makingPlace(path: string): string {
  // git names its entry after the last part of the path.
  return join(dirname(path), ADDING, basename(path));
}

/** Where copies for the worktree are made before they move into it. On the same disk, and no worktree has such a name. */
export function copyingPlace(path: string): string {
  return join(dirname(path), '.placing', basename(path));
}

/** The new name of a worktree that is being removed. */
export const removingPlace = (path: string): string => `${path}.removing`;

/** Removes copies that did not move into the worktree. */
export async function clearCopies(path: string): Promise<void> {
  const copies = copyingPlace(path);
  await removeTree(copies);
  await rmdir(dirname(copies)).catch(() => {});
}

/** Removes what a killed daemon left of the worktree for `path` before it was complete. Repeats itself after a kill. */
export async function clearHalfMade(path: string, common: string, git: Git): Promise<void> {
  const making = makingPlace(path);
  await discard(making, common, git);
  await rmdir(dirname(making)).catch(() => {});
}

/** Removes a worktree that holds nobody's work, and git's entry of it. */
export async function discard(path: string, common: string, git: Git): Promise<void> {
  await clearCopies(path);
  const leftover = removingPlace(path);
  await removeTree(leftover);
  // Rename first: a git of the killed daemon may still write there. Git removes no files that it does not know.
  if (await exists(path)) await rename(path, leftover);
  const entry = await findWorktree(common, path);
  if (entry) await removeEntry(path, common, entry, git);
  await removeTree(leftover);
  await forgetBeside(path);
}

/** Removes git's entry of a worktree whose directory is gone and whose commits nobody needs. */
export async function removeEntry(path: string, common: string, { lock }: WorktreeEntry, git: Git): Promise<void> {
  if (lock === UNFINISHED) await git.run(common, ['worktree', 'unlock', path], { gitDir: common });
  await git.run(common, ['worktree', 'remove', path], { gitDir: common });
}
