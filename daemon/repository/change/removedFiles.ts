import type { ChangedFile } from '../../../schemas/place/place.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { fileLines } from './fileLines.ts';

interface TextLine {
  line: number;
  text: string;
}

/** The changed lines of a file on one side, of which `lines` is the text. */
export function changedLines({ hunks }: ChangedFile, lines: readonly string[], side: 'new' | 'old'): TextLine[] {
  return hunks.flatMap(([oldStart, oldCount, newStart, newCount]) => {
    const [start, count] = side === 'old' ? [oldStart, oldCount] : [newStart, newCount];
    return Array.from({ length: Math.max(0, Math.min(count, lines.length - start + 1)) }, (_, offset) => ({
      line: start + offset,
      text: lines[start + offset - 1] ?? '',
    }));
  });
}

const MOST_FILES = 200;
const MOST_BYTES = 2 * 1024 * 1024;

/** A file that lost lines, as it was before. */
export interface RemovedFile {
  /** Its path before the change. */
  path: string;
  text: string;
  /** The lines that are gone or replaced. */
  removed: TextLine[];
}

/** The files of a change whose old text a reader gets. They are text files that lost lines, while there is room. */
export async function removedFiles(
  privateGit: PrivateGit,
  from: string,
  files: readonly ChangedFile[],
): Promise<RemovedFile[]> {
  const linesOf = fileLines(privateGit, from);
  const kept: RemovedFile[] = [];
  let room = MOST_BYTES;
  for (const file of files.filter(({ hunks }) => hunks.some(([, count]) => count > 0))) {
    if (kept.length === MOST_FILES) break;
    const path = file.from ?? file.path;
    const lines = await linesOf(path);
    const text = lines?.join('\n') ?? '';
    const size = Buffer.byteLength(text);
    if (!lines || size > room) continue;
    room -= size;
    kept.push({ path, text, removed: changedLines(file, lines, 'old') });
  }
  return kept;
}
