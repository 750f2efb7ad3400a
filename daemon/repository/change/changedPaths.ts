import { textOf } from '../git/pathBytes.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { openPrivateGit } from '../privateGit/privateGit.ts';
import { NONE, readChanges } from '../tree/treeChanges.ts';

export interface ChangedFile {
  path: string;
  action: 'create' | 'modify' | 'delete';
}

/** The files that differ between two commits, sorted. A rename is a deleted and a created file. */
export async function changedFiles(worktree: WorktreePlace, from: string, to: string): Promise<ChangedFile[]> {
  const changes = await readChanges(await openPrivateGit(worktree), from, to);
  return changes
    .map(({ path, oldMode, newMode }): ChangedFile => {
      return { path: textOf(path), action: oldMode === NONE ? 'create' : newMode === NONE ? 'delete' : 'modify' };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The paths that differ between two commits, sorted. */
export async function changedPaths(worktree: WorktreePlace, from: string, to: string): Promise<string[]> {
  return (await changedFiles(worktree, from, to)).map(({ path }) => path);
}

/** True if the file system of the worktree takes `A` and `a` for the same name, as git found it. */
export async function ignoresCase(worktree: WorktreePlace): Promise<boolean> {
  const privateGit = await openPrivateGit(worktree);
  const args = ['config', '--type=bool', '--get', 'core.ignorecase'];
  return (await privateGit.read(args, { accept: [0, 1] })) === 'true';
}
