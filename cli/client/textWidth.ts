import { eastAsianWidth } from 'get-east-asian-width';

/** Characters of one cell. Most text has no others. */
export const PLAIN = /^[\x20-\x7e]*$/;

/** The cells of one character; 0 for a mark or a joiner. */
export function cellsOf(character: string): 0 | 1 | 2 {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (/[\p{Mark}\p{Cf}]/u.test(character)) return 0;
  return eastAsianWidth(point) as 1 | 2;
}

/** The cells of a text without control characters. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += cellsOf(character);
  return width;
}

/** The longest beginning that fits, and its width. The time does not depend on the length of the text. */
export function cut(text: string, cells: number): { text: string; width: number } {
  const near = text.slice(0, Math.max(0, cells));
  // A mark may follow, which belongs to the last character.
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
