import { copyFile, cp, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exists, isDirectory } from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { withIndex, writeTree } from '../privateGit/privateIndex.ts';
import { type KnownSubmodule, readKnown, submoduleGitDir, submodulePrivateGit } from '../submodule/knownSubmodules.ts';
import { readStatus } from './worktreeStatus.ts';

/**
 * Copies the uncommitted work of a worktree to a new directory `<runDir>/salvage/<laneId>-<n>` and returns its path. It
 * has `changes.patch` and `staged.patch` (for `git apply`), and the untracked files below `files/`, and `.devflow/`.
 * Ignored files (dependencies, builds) are not copied. The directory appears whole or not at all.
 */
export async function salvage(input: WorktreePlace & { runDir: string; laneId: string }): Promise<string> {
  const { laneId } = input;
  const privateGit = await openPrivateGit(input);
  const root = join(input.runDir, 'salvage');
  const partial = join(root, `${laneId}.partial`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(join(partial, 'files'), { recursive: true, mode: 0o700 });

  const status = await readStatus(privateGit);
  // git writes the patches, because their bytes need not be UTF-8.
  const patch = ['diff', '--binary', '--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
  const tree = await withIndex(privateGit, (index) => writeTree(privateGit, index, status.paths));
  const from = status.tip ?? (await emptyTree(privateGit));
  await privateGit.objects([...patch, `--output=${join(partial, 'changes.patch')}`, from, tree, '--']);
  // An agent's staged files may differ from its worktree, and its index may be broken.
  const staged = { read: true, index: join(privateGit.entry.directory, 'index'), accept: [0, 1, 128] };
  await privateGit.run([...patch, '--cached', `--output=${join(partial, 'staged.patch')}`, from, '--'], staged);
  const others = [...status.untracked, ...status.nested].filter((path) => !path.startsWith('.devflow/'));
  // A slash at the end would follow a link.
  for (const path of [...others, '.devflow'].map((name) => name.replace(/\/$/, ''))) {
    const copy = join(partial, 'files', path);
    if (!(await exists(join(privateGit.path, path)))) continue;
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    await cp(join(privateGit.path, path), copy, { recursive: true, verbatimSymlinks: true, filter: isKept });
    if (await isDirectory(copy)) await disarm(copy);
  }
  await copySubmodules(privateGit, join(partial, 'files'));
  const place = await freePlace(root, laneId);
  await rename(partial, place);
  return place;
}

/** A submodule's commits are in its git directory, which git removes with the worktree. */
async function copySubmodules(privateGit: PrivateGit, files: string): Promise<void> {
  for (const submodule of await readKnown(privateGit)) {
    const copy = join(files, submodule.path, 'dot-git');
    const from = submoduleGitDir(privateGit, submodule);
    // A directory of the copy may be an agent's link.
    const real = await realpath(dirname(copy)).catch(() => undefined);
    if (real !== join(await realpath(files), submodule.path) || !(await isDirectory(from))) continue;
    await rm(copy, { recursive: true, force: true });
    const filter = async (path: string) => basename(path) !== 'devflow' && (await isKept(path));
    await cp(from, copy, { recursive: true, verbatimSymlinks: true, filter });
    await useOwnConfig(privateGit, submodule, copy);
  }
}

/** Replaces the configuration: an agent may have changed it, and it names the removed worktree. */
async function useOwnConfig(privateGit: PrivateGit, submodule: KnownSubmodule, copy: string): Promise<void> {
  const inner = await submodulePrivateGit(privateGit, submodule);
  await copyFile(join(inner.gitDir, 'config'), join(copy, 'config'));
  for (const nested of await readKnown(inner)) {
    const place = join(copy, 'modules', nested.name);
    if (await isDirectory(place)) await useOwnConfig(inner, nested, place);
  }
}

/** Without a branch, all files of the worktree count as work. */
async function emptyTree(privateGit: PrivateGit): Promise<string> {
  return (await privateGit.objects(['mktree'], { input: '' })).stdout;
}

/** Renames `.git` in copied repositories, because their settings could run programs. */
async function disarm(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await disarm(path);
    if (entry.name === '.git') await rename(path, join(directory, 'dot-git'));
  }
}

/** Skips pipes, sockets and devices, on which `cp` throws. */
async function isKept(path: string): Promise<boolean> {
  const facts = await lstat(path);
  return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink();
}

async function freePlace(root: string, laneId: string): Promise<string> {
  const taken = new Set(await readdir(root));
  let n = 1;
  while (taken.has(`${laneId}-${n}`)) n += 1;
  return join(root, `${laneId}-${n}`);
}
