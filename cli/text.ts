import { stripVTControlCharacters } from 'node:util';
import { plain } from './client/plain.ts';

export { plain };

/** Zero columns: combining marks, variation selectors, joiners. */
const ZERO = /\p{Mn}|\p{Me}|\p{Cf}/u;
/** Two columns: East Asian wide and fullwidth, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const ASCII = /^[\x20-\x7e]*$/;

/** Columns that a terminal gives this text. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of stripVTControlCharacters(text)) width += charWidth(char);
  return width;
}

function charWidth(char: string): number {
  if (ZERO.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

/** The text within so many columns, with an ellipsis where something was cut. Takes plain text, no colours. */
export function clip(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const char of text) {
    width += charWidth(char);
    if (width > columns - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

/** The same on one line. */
export function oneLine(text: string): string {
  return plain(text.replace(/\s*[\r\n]+\s*/g, ' ')).replaceAll('\t', ' ');
}

/** Enough of an id to name it; any unambiguous prefix is accepted back. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** Local time to the second: `2026-11-21 08:12:35`. Intl would cost more than the rest of the output. */
export function localTime(iso: string | null): string {
  if (iso === null) return '–';
  const at = new Date(iso);
  const two = (n: number) => String(n).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}
