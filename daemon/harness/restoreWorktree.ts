import { lstat } from 'node:fs/promises';
import { type AddWorktree, addWorktree } from './addWorktree.ts';
import { createGit, type Git } from './git.ts';
import { canonical, commonDirectory, findWorktree } from './repositoryFiles.ts';

/**
 * Puts a worktree whose directory is gone back from its branch, or from `startCommit` when the branch is gone too. What
 * was not committed is lost. False when the directory is there.
 */
export async function restoreWorktree(input: AddWorktree, git: Git = createGit()): Promise<boolean> {
  if (await isDirectory(input.path)) return false;
  await addWorktree(input, git);
  return true;
}

/** Tells git again of a worktree that it has forgotten (`git worktree prune`, a moved repository); the files stay. */
export async function registerWorktree(input: AddWorktree, git: Git = createGit()): Promise<void> {
  if (!(await isDirectory(input.path))) return;
  if (await findWorktree(await commonDirectory(input.repoPath), await canonical(input.path))) return;
  await addWorktree({ ...input, keepFiles: true }, git);
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
}
