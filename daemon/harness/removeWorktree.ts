import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { dirtyFiles } from './dirty.ts';
import { createGit, type Git } from './git.ts';
import { exists, findWorktree } from './worktreeList.ts';

/**
 * Removes a worktree and leaves its branch. Does nothing when it is gone already. Throws worktree_dirty, naming the
 * files, when something in it is not committed.
 */
export async function removeWorktree(input: { repoPath: string; path: string }, git: Git = createGit()): Promise<void> {
  const path = await canonical(input.path);
  const entry = await findWorktree(git, input.repoPath, path);
  if (!entry) {
    if (!(await exists(path))) return;
    throw new DevflowError('git_failed', `${path} is not a worktree of ${input.repoPath}, so it stays where it is.`);
  }
  if (await exists(path)) {
    const files = await dirtyFiles(path, git);
    if (files.length > 0) throw worktreeDirty(path, files);
  }
  if (entry.lock === 'initializing') await git.run(input.repoPath, ['worktree', 'unlock', path]);
  await git.run(input.repoPath, ['worktree', 'remove', path]);
}

export function worktreeDirty(path: string, files: readonly string[]): DevflowError {
  const named = files.slice(0, 10).join(', ');
  const more = files.length > 10 ? ` and ${files.length - 10} more` : '';
  return new DevflowError('worktree_dirty', `${path} has uncommitted changes: ${named}${more}.`, {
    data: { path, files },
  });
}

/** The path as git registers it: the parent's links resolved, even when the directory itself is gone. */
export async function canonical(path: string): Promise<string> {
  const parent = await realpath(dirname(path)).catch(() => dirname(path));
  return join(parent, basename(path));
}
