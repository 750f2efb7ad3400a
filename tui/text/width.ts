import { eastAsianWidth } from 'get-east-asian-width';

/** What a terminal takes for one cell each, and what most text is. */
const PLAIN = /^[\x20-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const NOT_ALONE = /\p{Mark}|\u200d|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]|[\ufe00-\ufe0f]/u;
const REGIONAL = /[\u{1f1e6}-\u{1f1ff}]/gu;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Text that every terminal measures alike: no control characters, nothing that turns the direction, and of a joined emoji
 * (families, skin tones, flags) its first part alone, because programs disagree on the width of the whole.
 */
export function clean(text: string): string {
  if (PLAIN.test(text)) return text;
  const printable = text.replaceAll('\t', '  ').replaceAll(CONTROL, '').normalize('NFC');
  if (!NOT_ALONE.test(printable)) return printable;
  let whole = '';
  for (const { segment } of segmenter.segment(printable)) whole += firstPart(segment);
  return whole;
}

function firstPart(cluster: string): string {
  const letters = cluster.replaceAll(REGIONAL, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0x1f1a5));
  const [first = ''] = letters;
  if (letters !== cluster) return letters;
  return /\p{Emoji_Presentation}|\p{Extended_Pictographic}/u.test(first)
    ? first
    : cluster.replaceAll(/\u200d|[\ufe00-\ufe0f]/g, '');
}

/** Cells of one character of clean text. */
export function cellsOf(character: string): 0 | 1 | 2 {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x300) return 1;
  if (/\p{Mark}/u.test(character)) return 0;
  return eastAsianWidth(point) as 1 | 2;
}

/** Cells of clean text. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += cellsOf(character);
  return width;
}

/** The longest beginning of clean text that fits, and how many cells it takes. */
export function cut(text: string, cells: number): { text: string; width: number } {
  if (PLAIN.test(text)) return { text: text.slice(0, cells), width: Math.min(text.length, cells) };
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
