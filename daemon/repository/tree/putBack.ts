import { lstat, mkdtemp, readFile, readlink, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathIn, textOf } from '../git/pathBytes.ts';
import { NONE, readChanges, type TreeChange } from './treeChanges.ts';
import { differing, removeFile, type TreeFiles } from './treeFiles.ts';

/**
 * Restores the files of `from` after git was interrupted while it wrote those of `to`. `before` is an index of `from`. It
 * removes only what git wrote: a whole file of `to`, or the beginning of one. If a file is neither, it changes nothing and
 * returns the names.
 */
export async function putBack(
  place: TreeFiles,
  { from, to }: { from: string; to: string },
  before: string,
): Promise<string[]> {
  const scratch = await mkdtemp(join(place.privateGit.gitDir, 'back-'));
  try {
    const changes = await readChanges(place.privateGit, from, to);
    const unlikeOld = await differing(place, before);
    const after = join(scratch, 'after');
    await place.files(['read-tree', to], { index: after });
    const unlikeNew = await differing(place, after);
    const isOld = ({ path, oldMode }: TreeChange) => oldMode !== NONE && !unlikeOld.has(path);
    const written: TreeChange[] = [];
    const changedSince: string[] = [];
    for (const change of changes.filter((each) => !isOld(each))) {
      if (!(await isThere(place, change.path))) continue;
      const isNew = change.newMode !== NONE && !unlikeNew.has(change.path);
      if (isNew || (await isBeginning(place, change, before))) written.push(change);
      else changedSince.push(textOf(change.path));
    }
    if (changedSince.length > 0) return changedSince;
    for (const { path, oldMode } of written) {
      if (oldMode === NONE) await removeFile(place.path, path);
      else await unlink(pathIn(place.path, path));
    }
    const missing = changes.filter((each) => each.oldMode !== NONE && !isOld(each)).map(({ path }) => `${path}\0`);
    const input = missing.join('');
    if (input !== '')
      await place.files(['checkout-index', '-u', '-z', '--stdin'], { index: before, input, bytes: true });
    return [];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A directory in its place is no file of the change. */
async function isThere({ path: root }: TreeFiles, path: string): Promise<boolean> {
  const facts = await lstat(pathIn(root, path)).catch(() => undefined);
  return facts !== undefined && !facts.isDirectory();
}

async function isBeginning(place: TreeFiles, { path, newMode, newId }: TreeChange, index: string): Promise<boolean> {
  if (newMode === NONE) return false;
  const file = pathIn(place.path, path);
  const facts = await lstat(file);
  if (facts.isSymbolicLink()) return (await readlink(file)) === '';
  if (!facts.isFile()) return false;
  if (facts.size === 0) return true;
  const args = ['cat-file', '--filters', `--path=${textOf(path)}`, newId];
  const { stdout } = await place.files(args, { index, bytes: true, read: true });
  return stdout.length >= facts.size && stdout.startsWith((await readFile(file)).toString('latin1'));
}
