import type { NewComment } from '../../../schemas/comments/comment.ts';
import { cutTo } from '../../../schemas/text/phrases.ts';
import type { Placed } from '../run/comment.ts';
import { MOST_QUOTE, placeLines } from './placeLines.ts';
import { textOfValue, valueAt } from './pointer.ts';

/** Finds the part of a document that a comment is about. A formatted line need not be quoted as the document has it. */
export function placeInDocument(text: string, { pointer, quote }: Pick<NewComment, 'pointer' | 'quote'>): Placed {
  if (pointer === null || pointer === '') return { place: 'same', quote, anchor: null };
  const data = parsed(text);
  if (data === undefined) return inText(text, pointer, quote);
  const value = valueAt(data, pointer);
  if (value === undefined) return { place: 'outdated', reason: `The document has nothing at ${pointer}.` };
  return { place: 'same', quote: quote === '' ? cutTo(textOfValue(value), MOST_QUOTE) : quote, anchor: null };
}

/** A document of a contract is no JSON: its pointers count lines. */
function inText(text: string, pointer: string, quote: string): Placed {
  const [, line] = /^\/([1-9]\d{0,6})$/.exec(pointer) ?? [];
  if (line === undefined) return { place: 'outdated', reason: `The document has nothing at ${pointer}.` };
  return placeLines(text.split(/\r?\n/), { line: Number(line), endLine: null, quote });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
