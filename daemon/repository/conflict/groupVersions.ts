import type { PrivateGit } from '../privateGit/privateGit.ts';
import type { Stage } from '../tree/mergeTrees.ts';
import type { TreeEntry } from '../tree/treeFiles.ts';
import { readFileText } from './fileText.ts';
import type { Versions } from './goneLines.ts';

/**
 * The texts of the files of one conflict, joined, and the files that are not compared by lines (`withoutText`). These and
 * submodules have no text.
 */
export async function groupVersions(
  privateGit: PrivateGit,
  paths: readonly string[],
  stages: readonly Stage[],
  result: ReadonlyMap<string, TreeEntry>,
): Promise<{ versions: Versions; withoutText: Map<string, 'binary' | 'large'> }> {
  const own = stages.filter(({ path }) => paths.includes(path));
  const sides = await Promise.all(own.map(async (stage) => ({ ...stage, ...(await readFileText(privateGit, stage)) })));
  const withoutText = new Map(sides.flatMap(({ path, kind }) => (kind === 'text' ? [] : [[path, kind]])));
  const inStage = (wanted: Stage['stage']) =>
    sides.flatMap(({ stage, path, text }) => (stage === wanted && !withoutText.has(path) ? [text] : [])).join('\n');
  const after: string[] = [];
  for (const path of paths.filter((each) => !withoutText.has(each))) {
    const { text, kind } = await readFileText(privateGit, result.get(path));
    if (kind === 'large') withoutText.set(path, kind);
    // A NUL that the resolution adds hides no conflict markers.
    after.push(text);
  }
  return {
    versions: { base: inStage(1), ours: inStage(2), theirs: inStage(3), result: after.join('\n') },
    withoutText,
  };
}
