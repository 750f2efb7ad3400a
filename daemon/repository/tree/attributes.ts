import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readChanges, type TreeChange } from './treeChanges.ts';
import type { TreeFiles } from './treeFiles.ts';

/**
 * The changed paths for which a tree sets an attribute, with its value. `-merge` counts as a value: git then merges the file
 * as binary.
 */
export async function pathsWith(
  { privateGit, files }: TreeFiles,
  attribute: string,
  tree: string,
  changes: readonly Pick<TreeChange, 'path'>[],
): Promise<Map<string, string>> {
  if (changes.length === 0) return new Map();
  const scratch = await mkdtemp(join(privateGit.gitDir, 'attributes-'));
  try {
    const index = join(scratch, 'index');
    await files(['read-tree', tree], { index });
    const input = changes.map(({ path }) => `${path}\0`).join('');
    const args = ['check-attr', '--cached', '-z', '--stdin', attribute];
    const { stdout } = await files(args, { index, input, bytes: true });
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

/** The commits of a merge, and the newest one that both contain. */
export interface Sides {
  base: string;
  ours: string;
  theirs: string;
}

/** The files that both sides changed differently and whose merge the attributes of `ours` set, with the value. */
export async function mergeAttributes(place: TreeFiles, { base, ours, theirs }: Sides): Promise<Map<string, string>> {
  const mine = new Map((await readChanges(place.privateGit, base, ours)).map(({ path, newId }) => [path, newId]));
  const their = await readChanges(place.privateGit, base, theirs);
  const both = their.filter(({ path, newId }) => mine.has(path) && mine.get(path) !== newId);
  return pathsWith(place, 'merge', ours, both);
}
