import { eastAsianWidth } from 'get-east-asian-width';

/** What a terminal takes for one cell each, and what most text is. */
export const PLAIN = /^[\x20-\x7e]*$/;

/** Cells of one character; none for a mark or a joiner. */
export function cellsOf(character: string): 0 | 1 | 2 {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (/[\p{Mark}\p{Cf}]/u.test(character)) return 0;
  return eastAsianWidth(point) as 1 | 2;
}

/** Cells of text without control characters. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += cellsOf(character);
  return width;
}

/** The longest beginning that fits, and how many cells it takes. Costs what it returns, however long the text. */
export function cut(text: string, cells: number): { text: string; width: number } {
  const near = text.slice(0, Math.max(0, cells));
  // A mark that follows belongs to it.
  if (PLAIN.test(near) && (text.charCodeAt(near.length) || 0) < 0x300) return { text: near, width: near.length };
  let width = 0;
  let end = 0;
  for (const character of text) {
    const next = width + cellsOf(character);
    if (next > cells) break;
    width = next;
    end += character.length;
  }
  return { text: text.slice(0, end), width };
}
