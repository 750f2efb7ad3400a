import { lstat, rmdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeTree } from '../../../schemas/files/removeTree.ts';
import type { GitOptions, GitOutput } from '../git/gitCommand.ts';
import { pathIn } from '../git/pathBytes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

/** A directory with the files of a tree: a worktree of devflow, or a person's checkout. */
export interface TreeFiles {
  path: string;
  privateGit: PrivateGit;
  /** Runs git on the files with this index. */
  files(args: readonly string[], options: GitOptions & { index: string }): Promise<GitOutput>;
}

export function filesOf(privateGit: PrivateGit): TreeFiles {
  const { path, run } = privateGit;
  return { path, privateGit, files: (args, options) => run(args, { timeoutMs: 600_000, ...options }) };
}

/** Paths of the index whose files differ from it, or are missing. */
export async function differing({ files }: TreeFiles, index: string): Promise<Set<string>> {
  await files(['update-index', '-q', '--refresh'], { index, accept: [0, 1] });
  const args = ['diff-files', '--name-only', '-z', '--ignore-submodules=all'];
  const { stdout } = await files(args, { index, bytes: true });
  return new Set(stdout.split('\0').filter((path) => path !== ''));
}

/** Removes a file and the directories that it leaves empty. */
export async function removeFile(root: string, path: string): Promise<void> {
  await unlink(pathIn(root, path));
  await removeEmptyParents(root, path);
}

/** Removes the file or directory at this path, or one that is in the way of a file there. */
export async function clearPath(root: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join('/');
    const facts = await lstat(pathIn(root, part)).catch(() => undefined);
    if (facts === undefined) break;
    if (facts.isDirectory() && depth < parts.length) continue;
    await removeTree(pathIn(root, part));
    break;
  }
  await removeEmptyParents(root, path);
}

async function removeEmptyParents(root: string, path: string): Promise<void> {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const removed = await rmdir(pathIn(root, parent)).then(
      () => true,
      () => false,
    );
    if (!removed) return;
  }
}

/** A file of a tree. */
export interface TreeEntry {
  mode: string;
  id: string;
}

/** All files of a tree by path, one character per byte. */
export async function readEntries(privateGit: PrivateGit, tree: string): Promise<Map<string, TreeEntry>> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', tree];
  const { stdout } = await privateGit.objects(args, { read: true, bytes: true });
  const entries = stdout.split('\0').map((line) => /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []);
  return new Map(entries.flatMap(([, mode, id, path]) => (mode && id && path ? [[path, { mode, id }]] : [])));
}
