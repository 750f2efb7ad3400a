import { stat } from 'node:fs/promises';
import type { Git } from './git.ts';

export interface WorktreeEntry {
  path: string;
  /** Full ref name; null when HEAD is detached there. */
  ref: string | null;
  /** The reason of a lock; '' for a lock without one; null when not locked. */
  lock: string | null;
}

/** The worktrees that a repository has registered, whether or not their directories exist. */
async function listWorktrees(git: Git, repoPath: string): Promise<WorktreeEntry[]> {
  const text = await git.read(repoPath, ['worktree', 'list', '--porcelain', '-z']);
  return text
    .split('\0\0')
    .map((block) => block.split('\0').filter((line) => line !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) => ({
      path: attribute(lines, 'worktree') ?? '',
      ref: attribute(lines, 'branch') ?? null,
      lock: lines.includes('locked') ? '' : (attribute(lines, 'locked') ?? null),
    }));
}

/** The entry of one worktree, by its canonical path. */
export async function findWorktree(git: Git, repoPath: string, path: string): Promise<WorktreeEntry | undefined> {
  return (await listWorktrees(git, repoPath)).find((entry) => entry.path === path);
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

function attribute(lines: string[], key: string): string | undefined {
  return lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
}
