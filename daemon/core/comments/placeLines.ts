import type { NewComment } from '../../../schemas/comments/comment.ts';
import { counted, cutTo, oneSpaced } from '../../../schemas/text/phrases.ts';
import { anchorAt, anchorQuote } from '../place/anchor.ts';
import type { Placed } from '../run/comment.ts';

/** The most of a quote that a comment keeps. */
export const MOST_QUOTE = 2000;

/** Compares the lines and the quote of a comment with its file. Without a quote, it gets that of its lines. */
export function placeLines(
  lines: readonly string[],
  { line, endLine, quote }: Pick<NewComment, 'line' | 'endLine' | 'quote'>,
): Placed {
  const first = line ?? 1;
  const last = endLine ?? first;
  // The text ends with a line end, behind which there is no line.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (last > count) return { place: 'outdated', reason: `The file has ${counted(count, 'line')}.` };
  const own = lines.slice(first - 1, last).join('\n');
  // Blank lines have no anchor, and a quote is found by its first text.
  const begins = first + (oneSpaced(own) === '' ? 0 : blankLinesBefore(own));
  const anchor = anchorAt(lines, begins);
  if (quote === '') return { place: 'same', quote: cutTo(own, MOST_QUOTE), anchor };
  const wanted = oneSpaced(quote);
  if (wanted === '') {
    if (oneSpaced(own) === '') return { place: 'same', quote, anchor };
    return { place: 'outdated', reason: 'These lines are not blank any more.' };
  }
  // A cut quote ends with an ellipsis.
  const found = anchorQuote(lines, { line: first, quote: quote.length === MOST_QUOTE ? quote.slice(0, -1) : quote });
  if (!found) return { place: 'outdated', reason: 'The quoted lines are not in the file.' };
  if (found.line === begins) return { place: 'same', quote, anchor };
  const now = Math.max(1, found.line - blankLinesBefore(quote));
  return { place: 'moved', line: now, reason: `The quoted lines stand at line ${now}.` };
}

/** The blank lines at the beginning of a text. */
export function blankLinesBefore(text: string): number {
  return (/^\s*/.exec(text)?.[0].match(/\n/g) ?? []).length;
}
