import { textOf } from '../git/pathBytes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { SUBMODULE } from '../tree/treeChanges.ts';
import type { TreeEntry } from '../tree/treeFiles.ts';

/** A NUL in the first bytes makes a file binary for git. It merges other files by lines, also with a NUL further on. */
const SAMPLED_BYTES = 8000;
/** Larger files are not compared by lines. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A file of a tree. A submodule and a missing file have the text ''. */
export interface FileText {
  text: string;
  kind: 'text' | 'binary' | 'large';
}

export async function readFileText(privateGit: PrivateGit, entry: TreeEntry | undefined): Promise<FileText> {
  if (entry === undefined || entry.mode === SUBMODULE) return { text: '', kind: 'text' };
  const size = Number((await privateGit.objects(['cat-file', '-s', entry.id], { read: true })).stdout);
  const isLarge = size > MOST_BYTES;
  const cap = isLarge ? { cap: SAMPLED_BYTES } : {};
  const { stdout } = await privateGit.objects(['cat-file', 'blob', entry.id], { read: true, bytes: true, ...cap });
  const isBinary = stdout.slice(0, SAMPLED_BYTES).includes('\0');
  if (isBinary) return { text: isLarge ? '' : textOf(stdout), kind: 'binary' };
  return isLarge ? { text: '', kind: 'large' } : { text: textOf(stdout), kind: 'text' };
}
