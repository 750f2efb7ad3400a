import { parsePatch } from '../../../../schemas/diff/parsePatch.ts';
import { sha256hex } from '../../../../schemas/hash.ts';
import { memoize } from '../../../text/memoize.ts';
import { cutPaths, type ShownDiff } from './shownDiff.ts';

/**
 * A mark for each file of the patch, by its path and its changed lines. So a mark holds at later gates, until these lines change.
 * A file whose patch is cut off has none: nobody has seen all of it.
 */
export const marksOf = memoize((diff: ShownDiff): ReadonlyMap<string, string> => {
  const { files, rows } = parsePatch(diff.patch);
  const cut = cutPaths(diff);
  const marks = files.flatMap(({ path, row }, nth): [string, string][] => {
    if (cut.includes(path)) return [];
    const own = rows.slice(row, files[nth + 1]?.row).filter(({ kind }) => kind !== 'hunk');
    const hasLines = own.some(({ kind }) => kind !== 'head');
    // The names of blobs are short, and longer in a repository that has grown.
    const said = own.filter(({ kind, text }) => kind !== 'head' || !hasLines || !text.startsWith('index '));
    return [[path, sha256hex([path, ...said.map(({ text }) => text)].join('\n'))]];
  });
  return new Map(marks);
});

/** `3/9 read`; undefined without files. */
export function readWords(diff: ShownDiff, read: readonly string[]): string | undefined {
  if (diff.files.length === 0) return undefined;
  const known = new Set(read);
  const count = [...marksOf(diff).values()].filter((mark) => known.has(mark)).length;
  return `${count}/${diff.files.length} read`;
}

export function isRead(diff: ShownDiff, path: string, read: readonly string[]): boolean {
  const mark = marksOf(diff).get(path);
  return mark !== undefined && read.includes(mark);
}
