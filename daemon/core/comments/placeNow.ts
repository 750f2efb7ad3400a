import type { Comment } from '../../../schemas/comments/comment.ts';
import type { CommentPlace } from '../../../schemas/comments/commentView.ts';
import type { ChangedFile } from '../../../schemas/place/place.ts';
import { oneSpaced } from '../../../schemas/text/phrases.ts';
import { linesOfQuote } from '../place/anchor.ts';
import { carryPlace } from '../place/carry.ts';
import { blankLinesBefore, placeLines } from './placeLines.ts';

/** A shorter quote, such as a brace, proves nothing about another place. */
const LEAST_QUOTE = 8;

type About = Pick<Comment, 'path' | 'line' | 'endLine' | 'quote'>;

/** The file of a comment in a newer commit. */
export function fileNow(files: readonly ChangedFile[], path: string): { path: string; file: ChangedFile | undefined } {
  const file =
    files.find(({ from }) => from === path) ?? files.find((each) => each.from === null && each.path === path);
  return { path: file?.path ?? path, file };
}

/**
 * Where the lines of a comment are after a change. They moved only where the whole quote stands once, and nowhere else.
 * `lines`: those of the file in the newer commit.
 */
export function placeNow(
  { path: before, line, endLine, quote }: About & { path: string },
  files: readonly ChangedFile[],
  lines: readonly string[] | undefined,
): CommentPlace {
  const { path, file } = fileNow(files, before);
  if (file?.isDeleted) return outdated(path);
  const isSameFile = path === before;
  if (line === null) {
    const as = !isSameFile ? 'moved' : file ? 'changed' : 'same';
    return { path, line: null, endLine: null, as };
  }
  if (!lines) return outdated(path);
  const length = (endLine ?? line) - line;
  const at = (now: number, as: CommentPlace['as']): CommentPlace => {
    return { path, line: now, endLine: endLine === null ? null : now + length, as };
  };
  const carried = carryPlace(files, { path: before, line });
  const isStill = placeLines(lines, { line: carried.line, endLine: carried.line + length, quote }).place === 'same';
  // A change of spaces alone leaves a line where it is.
  const isLong = oneSpaced(quote).length >= LEAST_QUOTE;
  if (isStill && (isLong || !carried.isChanged)) {
    return at(carried.line, isSameFile && carried.line === line ? 'same' : 'moved');
  }
  const [only, ...others] = isLong ? linesOfQuote(lines, quote) : [];
  if (only !== undefined && others.length === 0) return at(Math.max(1, only - blankLinesBefore(quote)), 'moved');
  const replaced = file?.hunks.find(([start, count]) => count > 0 && line < start + count && line + length >= start);
  if (!replaced || replaced[3] === 0) return outdated(path);
  const last = endLine === null ? null : carryPlace(files, { path: before, line: endLine }).line;
  return { path, line: carried.line, endLine: last === null ? null : Math.max(carried.line, last), as: 'changed' };
}

function outdated(path: string): CommentPlace {
  return { path, line: null, endLine: null, as: 'outdated' };
}
