import { randomUUID } from 'node:crypto';
import { lstat, mkdtemp, readFile, readlink, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Checkout } from '../checkout/checkout.ts';
import { copyIndex } from '../checkout/indexCopy.ts';
import { pathIn, textOf } from '../git/pathBytes.ts';
import { NONE, readChanges, type TreeChange } from './changes.ts';
import { applyDirectory, type Journal } from './journal.ts';

/** Moves the files, then the index, from one commit to another. git checks all files before it writes the first one. */
export async function moveFiles(checkout: Checkout, from: string, to: string): Promise<void> {
  const index = join(applyDirectory(checkout), `index.${randomUUID()}`);
  await copyIndex(checkout, index);
  await checkout.files(['update-index', '-q', '--refresh'], { index, accept: [0, 1] });
  await checkout.files(['read-tree', '-m', '-u', from, to], { index });
  await rename(index, join(checkout.gitDir, 'index'));
}

/**
 * Restores the files of `from` after `moveFiles` was interrupted before it changed the index. It removes only what git wrote:
 * a whole file of the new commit, or the beginning of one. If a file is neither, it changes nothing and returns the names.
 */
export async function putBack(checkout: Checkout, { from, to }: Journal): Promise<string[]> {
  const scratch = await mkdtemp(join(checkout.privateGit.gitDir, 'back-'));
  try {
    const changes = await readChanges(checkout, from, to);
    const before = join(scratch, 'before');
    await copyIndex(checkout, before);
    const unlikeOld = await differing(checkout, before);
    const after = join(scratch, 'after');
    await checkout.files(['read-tree', to], { index: after });
    const unlikeNew = await differing(checkout, after);
    const isOld = ({ path, oldMode }: TreeChange) => oldMode !== NONE && !unlikeOld.has(path);
    const written: TreeChange[] = [];
    const changedSince: string[] = [];
    for (const change of changes.filter((each) => !isOld(each))) {
      if (!(await isThere(checkout, change.path))) continue;
      const isNew = change.newMode !== NONE && !unlikeNew.has(change.path);
      if (isNew || (await isBeginning(checkout, change))) written.push(change);
      else changedSince.push(textOf(change.path));
    }
    if (changedSince.length > 0) return changedSince;
    for (const { path, oldMode } of written) {
      await unlink(pathIn(checkout.path, path));
      if (oldMode === NONE) await removeEmptyParents(checkout.path, path);
    }
    const missing = changes.filter((each) => each.oldMode !== NONE && !isOld(each)).map(({ path }) => `${path}\0`);
    const input = missing.join('');
    if (input !== '')
      await checkout.files(['checkout-index', '-u', '-z', '--stdin'], { index: before, input, bytes: true });
    return [];
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Paths of the index whose files differ from it, or are missing. */
async function differing(checkout: Checkout, index: string): Promise<Set<string>> {
  await checkout.files(['update-index', '-q', '--refresh'], { index, accept: [0, 1] });
  const args = ['diff-files', '--name-only', '-z', '--ignore-submodules=all'];
  const { stdout } = await checkout.files(args, { index, bytes: true });
  return new Set(stdout.split('\0').filter((path) => path !== ''));
}

/** A directory in its place is no file of the change. */
async function isThere({ path: root }: Checkout, path: string): Promise<boolean> {
  const facts = await lstat(pathIn(root, path)).catch(() => undefined);
  return facts !== undefined && !facts.isDirectory();
}

async function isBeginning(checkout: Checkout, { path, newMode, newId }: TreeChange): Promise<boolean> {
  if (newMode === NONE) return false;
  const file = pathIn(checkout.path, path);
  const facts = await lstat(file);
  if (facts.isSymbolicLink()) return (await readlink(file)) === '';
  if (!facts.isFile()) return false;
  if (facts.size === 0) return true;
  const args = ['cat-file', '--filters', `--path=${textOf(path)}`, newId];
  const { stdout } = await checkout.files(args, { index: join(checkout.gitDir, 'index'), bytes: true, read: true });
  return stdout.length >= facts.size && stdout.startsWith((await readFile(file)).toString('latin1'));
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
