import { ANYTHING, BELOW, DIRECTORIES, literal, type Part, STAR } from './part.ts';
import { readPart } from './readPart.ts';

/** `**` as a whole segment. A row of them is one. */
const GLOBSTAR = /\*\*(?:\/\*\*)*(?=\/|$)/y;

/** In a pattern of one segment, picomatch takes `++` for a repetition and `$$` for an end. */
const DOUBLED = /^[^/]*([+$^])\1[^/]*$/;

/** Whole patterns that picomatch reads in a way of its own, and what it takes them for. */
const SHORTCUTS = [
  [/^\*\*((?:\.\w+)+)$/, '**/*$1'],
  [/^(\*\*\/)?\*\.\*$/, '$1*.?*'],
] as const;

/**
 * The parts of a pattern without alternatives, as picomatch reads it with fast-glob's options. Undefined for an extended glob
 * such as `@(a|b)`. Undefined also where picomatch differs from all others.
 */
export function parsePattern(pattern: string): Part[] | undefined {
  const text = SHORTCUTS.reduce((present, [from, to]) => present.replace(from, to), pattern);
  if (text.startsWith('!') || DOUBLED.test(text)) return undefined;
  const parts: Part[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfGlobstar(text, at);
    const read = end === undefined ? readPart(text, at) : { part: DIRECTORIES, next: end + 1 };
    if (!read) return undefined;
    if (end === text.length) pushLastGlobstar(parts);
    else push(parts, read.part);
    at = read.next;
  }
  return parts;
}

function endOfGlobstar(text: string, at: number): number | undefined {
  if (at > 0 && text[at - 1] !== '/') return undefined;
  GLOBSTAR.lastIndex = at;
  const found = GLOBSTAR.exec(text);
  return found ? at + found[0].length : undefined;
}

function pushLastGlobstar(parts: Part[]): void {
  const last = parts.at(-1);
  // `src/**` matches a file `src` too, but `src*/**` only what is in such a directory.
  const isBelow = last?.is === 'text' && !(last.text === '/' && parts.at(-2) === STAR);
  if (!isBelow) parts.push(ANYTHING);
  else parts.splice(-1, 1, literal(last.text.slice(0, -1)), BELOW);
}

function push(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (part.is === 'text' && last?.is === 'text') parts.splice(-1, 1, literal(last.text + part.text));
  else parts.push(part);
}
