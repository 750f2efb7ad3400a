import { textOf } from '../git/pathBytes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import type { Stage } from '../tree/mergeTrees.ts';
import { SUBMODULE } from '../tree/treeChanges.ts';
import type { TreeEntry } from '../tree/treeFiles.ts';
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

/** A NUL in the first bytes makes a file binary for git. It merges other files by lines, also with a NUL further on. */
const SAMPLED_BYTES = 8000;
/** Larger files are not compared by lines. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A file of a tree. A submodule and a missing file have the text ''. */
interface FileText {
  text: string;
  kind: 'text' | 'binary' | 'large';
}

async function readFileText(privateGit: PrivateGit, entry: TreeEntry | undefined): Promise<FileText> {
  if (entry === undefined || entry.mode === SUBMODULE) return { text: '', kind: 'text' };
  const size = Number((await privateGit.objects(['cat-file', '-s', entry.id], { read: true })).stdout);
  const isLarge = size > MOST_BYTES;
  const cap = isLarge ? { cap: SAMPLED_BYTES } : {};
  const { stdout } = await privateGit.objects(['cat-file', 'blob', entry.id], { read: true, bytes: true, ...cap });
  const isBinary = stdout.slice(0, SAMPLED_BYTES).includes('\0');
  if (isBinary) return { text: isLarge ? '' : textOf(stdout), kind: 'binary' };
  return isLarge ? { text: '', kind: 'large' } : { text: textOf(stdout), kind: 'text' };
}
