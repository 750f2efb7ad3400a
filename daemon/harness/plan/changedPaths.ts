import { createGit, type Git } from '../git/git.ts';
import { textOf } from '../git/pathBytes.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { openPrivateGit } from '../privateGit/privateGit.ts';
import { readChanges } from '../tree/treeChanges.ts';

/** The paths that differ between two commits, sorted. */
export async function changedPaths(
  worktree: WorktreePlace,
  from: string,
  to: string,
  git: Git = createGit(),
): Promise<string[]> {
  const changes = await readChanges(await openPrivateGit(worktree, git), from, to);
  return changes.map(({ path }) => textOf(path)).sort();
}

/** Whether the file system of the worktree takes `A` and `a` for the same name, as git found it. */
export async function ignoresCase(worktree: WorktreePlace, git: Git = createGit()): Promise<boolean> {
  const privateGit = await openPrivateGit(worktree, git);
  const args = ['config', '--type=bool', '--get', 'core.ignorecase'];
  return (await privateGit.read(args, { accept: [0, 1] })) === 'true';
}
