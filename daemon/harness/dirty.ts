import { createGit, type Git } from './git.ts';

/** Files with uncommitted changes and untracked ones, relative to the worktree; ignored files do not count. */
export async function dirtyFiles(path: string, git: Git = createGit()): Promise<string[]> {
  const text = await git.read(path, ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames']);
  return text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
}

/** True when something in the worktree is not committed. */
export async function isDirty(path: string, git: Git = createGit()): Promise<boolean> {
  return (await dirtyFiles(path, git)).length > 0;
}
