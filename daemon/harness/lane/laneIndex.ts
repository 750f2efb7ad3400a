import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { newId } from '../../../schemas/newId.ts';
import { inTurn } from '../git/inTurn.ts';
import { exists } from '../git/repositoryFiles.ts';
import { findUnstorable } from '../git/stuckGit.ts';
import { type Lane, replace, SPARSE } from './lane.ts';

/**
 * Changes the lane's index. `change` works on a copy, which replaces the index on success. So a crash leaves no lock that
 * blocks a later call.
 */
export function withIndex<T>(lane: Lane, change: (index: string) => Promise<T>): Promise<T> {
  return inTurn(lane.gitDir, async () => {
    const index = join(lane.gitDir, 'index');
    const copy = `${index}.${newId()}`;
    try {
      await copyFile(index, copy).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
      const result = await change(copy);
      await rename(copy, index);
      return result;
    } finally {
      await rm(copy, { force: true });
      await rm(`${copy}.lock`, { force: true });
    }
  });
}

/** Sets the index to a commit. It keeps the stamps of unchanged files and touches no file. */
export function syncIndex(lane: Lane, commit: string): Promise<void> {
  return withIndex(lane, (index) => readTree(lane, index, commit));
}

export async function readTree(lane: Lane, index: string, commit: string): Promise<void> {
  if (await exists(join(lane.entry.directory, SPARSE))) await readSparseTree(lane, index, commit);
  else await lane.run(['read-tree', '--reset', commit], { index });
  await lane.run(['update-index', '-q', '--refresh'], { index, accept: [0, 1], timeoutMs: 600_000 });
}

/**
 * git says which files a sparse checkout leaves out only while it writes files: so it writes them to a directory of
 * their own. Without that, each file that is left out would count as deleted.
 */
async function readSparseTree(lane: Lane, index: string, commit: string): Promise<void> {
  const workTree = await mkdtemp(join(lane.gitDir, 'sparse-'));
  try {
    await lane.objects(['read-tree', '--empty'], { index });
    await lane.objects(['read-tree', '-m', '-u', commit], { index, workTree, timeoutMs: 600_000 });
  } finally {
    await rm(workTree, { recursive: true, force: true });
  }
}

/** Stages the files at these paths as they are, or their deletion, and returns the tree. */
export async function writeTree(lane: Lane, index: string, paths: readonly string[]): Promise<string> {
  if (paths.length > 0) await stage(lane, index, paths);
  return (await lane.run(['write-tree'], { index, timeoutMs: 600_000 })).stdout;
}

/** Throws path_unsafe where a pipe, a socket or a device took the place of a file that the branch has. */
async function stage(lane: Lane, index: string, paths: readonly string[]): Promise<void> {
  const input = `${paths.join('\0')}\0`;
  // A file may have taken the place of a directory with a submodule, whose end the status does not list.
  const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
  await lane.run(args, { index, input, bytes: true, timeoutMs: 600_000 }).catch(async (cause) => {
    const names = paths.map((path) => Buffer.from(path, 'latin1'));
    const unstorable = await findUnstorable(lane.path, names);
    if (unstorable === undefined) throw cause;
    throw new DevflowError('path_unsafe', `The work cannot be committed: ${unstorable}.`, { cause });
  });
}

/** Copies devflow's index to the worktree, for the agent's own git. */
export async function giveIndex(lane: Lane): Promise<void> {
  await replace(join(lane.entry.directory, 'index'), (fresh) => copyFile(join(lane.gitDir, 'index'), fresh));
}
