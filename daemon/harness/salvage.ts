import { cp, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Git } from './git.ts';

/**
 * Copies what is uncommitted in a worktree to a new directory `<runDir>/salvage/<laneId>-<n>` and returns it:
 * `changes.patch` and `staged.patch` (for `git apply`), `files/` with the untracked files as they are, and `.devflow/`.
 * Ignored files (dependencies, builds) are not copied. The directory appears whole or not at all.
 */
export async function salvage(input: { worktree: string; runDir: string; laneId: string }, git: Git): Promise<string> {
  const { worktree, laneId } = input;
  const root = join(input.runDir, 'salvage');
  const partial = join(root, `${laneId}.partial`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(join(partial, 'files'), { recursive: true });

  // git writes the patches itself: their bytes need not be UTF-8.
  const patch = ['diff', '--binary', '--no-color', '--no-ext-diff', '--no-textconv'];
  await git.run(worktree, [...patch, `--output=${join(partial, 'changes.patch')}`, 'HEAD'], { read: true });
  await git.run(worktree, [...patch, '--cached', `--output=${join(partial, 'staged.patch')}`, 'HEAD'], { read: true });
  for (const path of await pathsToCopy(worktree, git)) {
    await mkdir(dirname(join(partial, 'files', path)), { recursive: true });
    const options = { recursive: true, verbatimSymlinks: true, filter: isKept };
    await cp(join(worktree, path), join(partial, 'files', path), options);
  }
  const place = await freePlace(root, laneId);
  await rename(partial, place);
  return place;
}

/** Untracked files, changed submodules (a patch only names their commit) and devflow's own directory. */
async function pathsToCopy(worktree: string, git: Git): Promise<string[]> {
  const untracked = await git.read(worktree, ['ls-files', '--others', '--exclude-standard', '-z']);
  const changed = await git.read(worktree, ['diff', '--name-only', '-z', 'HEAD']);
  const paths = untracked.split('\0').filter((path) => path !== '');
  for (const path of changed.split('\0').filter((name) => name !== '')) {
    if (await isDirectory(join(worktree, path))) paths.push(path);
  }
  if (await isDirectory(join(worktree, '.devflow'))) paths.push('.devflow');
  return paths.map((path) => path.replace(/\/$/, ''));
}

/** `cp` throws on pipes, sockets and devices; there is nothing in them to keep. */
async function isKept(path: string): Promise<boolean> {
  const facts = await lstat(path);
  return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink();
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function freePlace(root: string, laneId: string): Promise<string> {
  const taken = new Set(await readdir(root));
  let n = 1;
  while (taken.has(`${laneId}-${n}`)) n += 1;
  return join(root, `${laneId}-${n}`);
}
