import type { Anchor } from '../../../schemas/place/place.ts';
import { oneSpaced } from '../../../schemas/text/phrases.ts';

const NEAR = 20;
const LENGTH = 100;
/** The end of a longer quote is not compared: in a file of equal lines that would take seconds. */
const COMPARED = 500;

/** The place of a quote in a file: at its line, else its only place, else the nearest within 20 lines. */
export function anchorQuote(lines: readonly string[], quoted: { line: number; quote: string }): Anchor | null {
  const wanted = comparedPart(quoted.quote);
  if (wanted === '') return null;
  const index = findPlace(lines, quoted.line - 1, wanted);
  return index === undefined ? null : anchorAt(lines, index + 1);
}

/** The anchor of a line. Null for a blank line, and for one that is not in the file. */
export function anchorAt(lines: readonly string[], line: number): Anchor | null {
  if ((lines[line - 1] ?? '').trim() === '') return null;
  const text = textFrom(lines, line - 1);
  return { line, text, occurrence: 1 + placesBefore(lines, line - 1, text) };
}

/** Counts earlier lines with the same text. */
function placesBefore(lines: readonly string[], index: number, text: string): number {
  // The file ends here, so there is more text behind any earlier line.
  if ([...text].length < LENGTH) return 0;
  let count = 0;
  for (let at = 0; at < index; at += 1) if (hasText(lines, at, text)) count += 1;
  return count;
}

/** Compares character by character, because most lines differ in one of the first. False for a blank line. */
function hasText(lines: readonly string[], index: number, text: string): boolean {
  let read = 0;
  for (let at = index; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    for (let column = 0; column < line.length; column += 1) {
      const code = line.charCodeAt(column);
      if (isBlank(code)) continue;
      if (code !== text.charCodeAt(read)) return false;
      read += 1;
      if (read === text.length) return true;
    }
    if (read === 0) return false;
  }
  return false;
}

/** The lines where a quote stands, counted from 1; none for a blank one. */
export function linesOfQuote(lines: readonly string[], quote: string): number[] {
  const wanted = comparedPart(quote);
  if (wanted === '') return [];
  return [...lines.keys()].filter((index) => stands(lines, index, wanted)).map((index) => index + 1);
}

function comparedPart(quote: string): string {
  return oneSpaced(quote).slice(0, COMPARED).trimEnd();
}

function stands(lines: readonly string[], index: number, wanted: string): boolean {
  const [first = ''] = wanted.split(' ', 1);
  return lines[index]?.includes(first) === true && beginsIn(lines, index, wanted);
}

function findPlace(lines: readonly string[], claimed: number, wanted: string): number | undefined {
  if (stands(lines, claimed, wanted)) return claimed;
  const places = [...lines.keys()].filter((index) => stands(lines, index, wanted));
  if (places.length === 1) return places[0];
  const distance = (index: number) => Math.abs(index - claimed);
  return places.filter((index) => distance(index) <= NEAR).sort((a, b) => distance(a) - distance(b))[0];
}

/** True if the quote begins anywhere in this line. It may go on in the next ones. */
function beginsIn(lines: readonly string[], index: number, wanted: string): boolean {
  const own = oneSpaced(lines[index] ?? '');
  if (own.includes(wanted)) return true;
  // The rest of the quote is in other lines. So the end of this line is the beginning of the quote.
  for (let from = own.indexOf(wanted.charAt(0)); from >= 0; from = own.indexOf(wanted.charAt(0), from + 1)) {
    const end = own.slice(from);
    if (wanted.startsWith(`${end} `) && continuesAt(lines, index + 1, wanted.slice(end.length + 1))) return true;
  }
  return false;
}

/** True if the file reads so from the beginning of this line on. Blank lines do not count. */
function continuesAt(lines: readonly string[], index: number, wanted: string): boolean {
  let rest = wanted;
  for (let at = index; at < lines.length; at += 1) {
    const line = oneSpaced(lines[at] ?? '');
    if (line === '') continue;
    if (line.startsWith(rest)) return true;
    if (!rest.startsWith(`${line} `)) return false;
    rest = rest.slice(line.length + 1);
  }
  return false;
}

/** Counts whole characters, because the database does not take half of a surrogate pair. */
function textFrom(lines: readonly string[], index: number): string {
  let text = '';
  for (let at = index; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    for (let column = 0; column < line.length; column += 1) {
      if (text.length === 2 * LENGTH) return [...text].slice(0, LENGTH).join('');
      if (!isBlank(line.charCodeAt(column))) text += line.charAt(column);
    }
  }
  return [...text].slice(0, LENGTH).join('');
}

/** Control characters count as blank, because the database does not take NUL. */
function isBlank(code: number): boolean {
  return code <= 32 || (code > 126 && /\s/.test(String.fromCharCode(code)));
}
