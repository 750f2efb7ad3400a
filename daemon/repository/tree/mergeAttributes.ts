import { pathsWith } from './attributes.ts';
import { readChanges } from './treeChanges.ts';
import type { TreeFiles } from './treeFiles.ts';

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
