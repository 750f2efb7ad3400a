import { NOT_UTF8, utf8Text } from '../../schemas/files/openRegular.ts';
import type { Uncovered } from '../../schemas/repoFacts.ts';
import { listCommit, readBlobs } from '../repository/git/commitBlobs.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { chooseFiles } from './chooseFiles.ts';

/** No manifest that a person wrote is larger. */
const MOST_BYTES = 256 * 1024;
/** A longer script is a program. */
const MOST_SCRIPT_BYTES = 64 * 1024;
const MOST_TOTAL = 2 * 1024 * 1024;

/** A commit as readers see it. */
export interface CommitFiles {
  paths: Set<string>;
  texts: Map<string, string>;
  uncovered: Uncovered[];
  /** The texts of more files, as far as they are small and UTF-8. */
  readMore(paths: readonly string[]): Promise<Map<string, string>>;
}

/** Reads from the objects of a commit: no link of a checkout is followed, and no filter runs. */
export async function readCommitFiles({ objects }: PrivateGit, commit: string): Promise<CommitFiles> {
  const { entries, isCut } = await listCommit(objects, commit);
  const paths = new Set([...entries].flatMap(([path, { isFile }]) => (isFile ? [path] : [])));
  const { chosen, uncovered } = chooseFiles(entries.keys());
  if (isCut) uncovered.push({ path: '.', why: `only the first ${entries.size} files are listed` });
  for (const path of chosen) {
    if (paths.has(path)) continue;
    uncovered.push({ path, why: entries.get(path)?.isLink ? 'the file is a link' : 'this is not a file' });
  }

  async function readTexts(wanted: Iterable<string>, mostBytes: number) {
    const texts = new Map<string, string>();
    const files = [...wanted].filter((path) => paths.has(path));
    const { blobs, tooLarge } = await readBlobs(objects, entries, files, { mostBytes, mostTotal: MOST_TOTAL });
    const why = `the file is larger than ${mostBytes} bytes, or there are too many`;
    const without = tooLarge.map((path): Uncovered => ({ path, why }));
    for (const [path, bytes] of blobs) {
      const text = utf8Text(bytes);
      if (text === undefined) without.push({ path, why: NOT_UTF8 });
      else texts.set(path, text);
    }
    return { texts, without };
  }

  const { texts, without } = await readTexts(chosen, MOST_BYTES);
  const readMore = async (more: readonly string[]) => (await readTexts(more, MOST_SCRIPT_BYTES)).texts;
  return { paths, texts, uncovered: [...uncovered, ...without], readMore };
}
