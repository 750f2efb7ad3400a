import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkout } from '../checkout/checkout.ts';
import { withIndexCopy } from '../checkout/indexCopy.ts';
import { pathIn, textOf } from '../git/pathBytes.ts';
import { readJournal } from './journal.ts';
import { BY_HAND, someOf, unready } from './refusals.ts';

/** A file that differs between two trees. If one tree lacks it, mode and id there are zeros. */
export interface TreeChange {
  /** One character per byte. */
  path: string;
  oldMode: string;
  newMode: string;
  oldId: string;
  newId: string;
}

const SUBMODULE = '160000';
/** The mode of a missing file. */
export const NONE = '000000';

export async function readChanges(
  { privateGit }: Pick<Checkout, 'privateGit'>,
  from: string,
  to: string,
): Promise<TreeChange[]> {
  const flags = ['-r', '-z', '--raw', '--no-renames', '--full-index', '--ignore-submodules=none'];
  const { stdout } = await privateGit.objects(['diff-tree', ...flags, from, to, '--'], { read: true, bytes: true });
  const parts = stdout.split('\0');
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (parts[at] ?? '').slice(1).split(' ');
    changes.push({ path: parts[at + 1] as string, oldMode, newMode, oldId, newId });
  }
  return changes;
}

/** Throws checkout_unready if writing these files would overwrite others, or needs something that devflow does not run. */
export async function assertWritable(checkout: Checkout, changes: readonly TreeChange[], to: string): Promise<void> {
  const { path: root } = checkout;
  const modules = changes.filter(({ oldMode, newMode }) => oldMode === SUBMODULE || newMode === SUBMODULE);
  if (modules.length > 0)
    throw unready(`The work changes a submodule (${named(modules)}). devflow does not update submodules.`, BY_HAND);
  const filtered = await withFilter(checkout, changes, to);
  if (filtered.length > 0)
    throw unready(
      `A filter such as git-lfs writes ${named(filtered)}. devflow runs no filters here.`,
      BY_HAND,
      names(filtered),
    );
  const hidden = await hiddenFrom(checkout, changes);
  if (hidden.length > 0)
    throw unready(`git ignores changes of ${named(hidden)} (assume-unchanged or skip-worktree).`, BY_HAND);
  // The next apply removes new files that an interrupted one left.
  const inTheWay = (await readJournal(checkout)) ? [] : await obstacles(root, changes);
  if (inTheWay.length > 0) {
    const message = `Untracked files are in the way in ${root}: ${someOf(inTheWay)}.`;
    throw unready(message, 'Move or remove them, then apply again.', inTheWay);
  }
}

function names(changes: readonly TreeChange[]): string[] {
  return changes.map(({ path }) => textOf(path));
}

function named(changes: readonly TreeChange[]): string {
  return someOf(names(changes));
}

/** Looks at the attributes before and after, because git may read either. */
async function withFilter(checkout: Checkout, changes: readonly TreeChange[], to: string): Promise<TreeChange[]> {
  const before = await attributes(checkout, checkout.commit as string, changes);
  const after = await attributes(checkout, to, changes);
  return changes.filter(({ path }) => before.has(path) || after.has(path));
}

/** The paths that have a filter in this tree. */
async function attributes(checkout: Checkout, tree: string, changes: readonly TreeChange[]): Promise<Set<string>> {
  return new Set((await pathsWith(checkout, 'filter', tree, changes)).keys());
}

/**
 * The changed paths for which a tree sets an attribute, with its value. `-merge` counts as a value: git then merges the file
 * as binary.
 */
export async function pathsWith(
  checkout: Checkout,
  attribute: string,
  tree: string,
  changes: readonly Pick<TreeChange, 'path'>[],
): Promise<Map<string, string>> {
  if (changes.length === 0) return new Map();
  const scratch = await mkdtemp(join(checkout.privateGit.gitDir, 'attributes-'));
  try {
    const index = join(scratch, 'index');
    await checkout.files(['read-tree', tree], { index });
    const input = changes.map(({ path }) => `${path}\0`).join('');
    const args = ['check-attr', '--cached', '-z', '--stdin', attribute];
    const { stdout } = await checkout.files(args, { index, input, bytes: true });
    const parts = stdout.split('\0');
    const found = new Map<string, string>();
    for (let at = 0; at + 2 < parts.length; at += 3) {
      const value = parts[at + 2] as string;
      const isSet = value !== 'unspecified' && (value !== 'unset' || attribute === 'merge');
      if (isSet) found.set(parts[at] as string, value);
    }
    return found;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function hiddenFrom(checkout: Checkout, changes: readonly TreeChange[]): Promise<TreeChange[]> {
  return withIndexCopy(checkout, async (index) => {
    const { stdout } = await checkout.files(['ls-files', '-v', '-z'], { index, bytes: true });
    const hidden = new Set(
      stdout.split('\0').flatMap((entry) => (/^(?:S|[a-z]) /.test(entry) ? [entry.slice(2)] : [])),
    );
    return changes.filter(({ path }) => hidden.has(path));
  });
}

/**
 * Files at the paths of new files, ignored ones too. A file that the same change removes is not in the way, nor is a
 * directory if the change removes all files in it.
 */
async function obstacles(root: string, changes: readonly TreeChange[]): Promise<string[]> {
  const leaving = new Set(changes.filter(({ newMode }) => newMode === NONE).map(({ path }) => path));
  const found = new Set<string>();
  const clear = new Set<string>();
  for (const { path } of changes.filter(({ oldMode }) => oldMode === NONE)) {
    const parts = path.split('/');
    let free = false;
    for (let depth = 1; depth < parts.length && !free; depth++) {
      const parent = parts.slice(0, depth).join('/');
      if (clear.has(parent)) continue;
      const facts = await lstat(pathIn(root, parent)).catch(() => undefined);
      if (facts?.isDirectory()) clear.add(parent);
      else {
        if (facts && !leaving.has(parent)) found.add(parent);
        free = true;
      }
    }
    if (free) continue;
    const facts = await lstat(pathIn(root, path)).catch(() => undefined);
    if (facts?.isDirectory())
      for (const inside of await filesIn(root, path)) if (!leaving.has(inside)) found.add(inside);
    if (facts && !facts.isDirectory()) found.add(path);
  }
  return [...found].map((path) => textOf(path));
}

async function filesIn(root: string, directory: string): Promise<string[]> {
  const entries = await readdir(pathIn(root, directory), { withFileTypes: true, encoding: 'buffer' });
  const lists = entries.map((entry) => {
    const path = `${directory}/${entry.name.toString('latin1')}`;
    return entry.isDirectory() ? filesIn(root, path) : [path];
  });
  return (await Promise.all(lists)).flat();
}
