import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { inTurn } from '../git/inTurn.ts';
import { exists } from '../git/repositoryFiles.ts';
import { findUnstorable } from '../git/stuckGit.ts';
import { renewAgentGit } from './agentGit.ts';
import { replace } from './keepFiles.ts';
import { type PrivateGit, SPARSE } from './privateGit.ts';

/**
 * Changes the private index. `change` works on a copy, which replaces the index on success. So a crash leaves no lock that
 * blocks a later call.
 */
export function withIndex<T>(privateGit: PrivateGit, change: (index: string) => Promise<T>): Promise<T> {
  return inTurn(privateGit.gitDir, async () => {
    const index = join(privateGit.gitDir, 'index');
    const copy = `${index}.${randomUUID()}`;
    try {
      await copyIndex(index, copy);
      const result = await change(copy);
      await rename(copy, index);
      return result;
    } finally {
      await rm(copy, { force: true });
      await rm(`${copy}.lock`, { force: true });
    }
  });
}

/** Calls `use` with a copy of the private index, which goes afterwards. */
export async function withScratchIndex<T>(privateGit: PrivateGit, use: (index: string) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(privateGit.gitDir, 'scratch-'));
  try {
    const index = join(scratch, 'index');
    await copyIndex(join(privateGit.gitDir, 'index'), index);
    return await use(index);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Sets the index to a commit. Keeps the stamps of unchanged files, and changes no files. */
export function syncIndex(privateGit: PrivateGit, commit: string): Promise<void> {
  return withIndex(privateGit, (index) => readTree(privateGit, index, commit));
}

export async function readTree(privateGit: PrivateGit, index: string, commit: string): Promise<void> {
  if (await exists(join(privateGit.entry.directory, SPARSE))) await readSparseTree(privateGit, index, commit);
  else await privateGit.run(['read-tree', '--reset', commit], { index });
  await privateGit.run(['update-index', '-q', '--refresh'], { index, accept: [0, 1], timeoutMs: 600_000 });
}

/**
 * git marks the files that a sparse checkout leaves out only while it writes files. So it writes them to a scratch
 * directory. Otherwise each left-out file would count as deleted.
 */
async function readSparseTree(privateGit: PrivateGit, index: string, commit: string): Promise<void> {
  const workTree = await mkdtemp(join(privateGit.gitDir, 'sparse-'));
  try {
    await privateGit.objects(['read-tree', '--empty'], { index });
    await privateGit.objects(['read-tree', '-m', '-u', commit], { index, workTree, timeoutMs: 600_000 });
  } finally {
    await rm(workTree, { recursive: true, force: true });
  }
}

/** Stages these paths, including deletions, and returns the tree. */
export async function writeTree(privateGit: PrivateGit, index: string, paths: readonly string[]): Promise<string> {
  if (paths.length > 0) await stage(privateGit, index, paths);
  return (await privateGit.run(['write-tree'], { index, timeoutMs: 600_000 })).stdout;
}

/** The same without these paths, whatever is in the worktree. */
export async function writeTreeWithout(
  privateGit: PrivateGit,
  index: string,
  paths: readonly string[],
  without: readonly string[],
): Promise<string> {
  const tree = await writeTree(privateGit, index, paths);
  if (without.length === 0) return tree;
  const input = without.map((path) => `${path}\0`).join('');
  await privateGit.run(['update-index', '--force-remove', '-z', '--stdin'], { index, input, bytes: true });
  return writeTree(privateGit, index, []);
}

/** Throws path_unsafe if a pipe, a socket or a device replaced a file of the branch. */
async function stage(privateGit: PrivateGit, index: string, paths: readonly string[]): Promise<void> {
  const input = `${paths.join('\0')}\0`;
  // --replace: a file may have replaced the directory of a submodule, whose removal the status does not list.
  const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
  await privateGit.run(args, { index, input, bytes: true, timeoutMs: 600_000 }).catch(async (cause) => {
    const names = paths.map((path) => Buffer.from(path, 'latin1'));
    const unstorable = await findUnstorable(privateGit.path, names);
    if (unstorable === undefined) throw cause;
    throw new DevflowError('path_unsafe', `devflow cannot commit the work: ${unstorable}.`, { cause });
  });
}

/** Copies the private index to the worktree, for the agent's own git. */
export async function giveIndex(privateGit: PrivateGit): Promise<void> {
  await replace(join(privateGit.entry.directory, 'index'), (fresh) =>
    copyIndex(join(privateGit.gitDir, 'index'), fresh),
  );
  await renewAgentGit(privateGit);
}

/**
 * Copies a git index. Without one (a new worktree has none yet) it does nothing. The copy keeps the time of the index.
 * Git rereads a file as new as the index, because it may have changed in the same second.
 */
export async function copyIndex(index: string, copy: string): Promise<void> {
  const facts = await stat(index).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!facts) return;
  await copyFile(index, copy);
  const at = Math.floor(facts.mtimeMs) / 1000;
  await utimes(copy, at, at);
}
