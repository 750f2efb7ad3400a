import { PLAIN } from '../../cli/client/textWidth.ts';
import { emoji, visible } from '../../schemas/text/visible.ts';

const PARTS = /[\u200d\u20e3\ufe0f\u{e0020}-\u{e007f}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u;
const REGIONAL = /[\u{1f1e6}-\u{1f1ff}]/gu;

/**
 * Text with the same width on all terminals. It shows invisible characters as signs (`visible`), and only the first part of a
 * joined emoji (families, skin tones). A flag becomes its two letters.
 */
export function clean(text: string): string {
  if (PLAIN.test(text)) return text;
  const shown = visible(text).normalize('NFC');
  if (!PARTS.test(shown)) return shown;
  return shown.replaceAll(emoji(), firstPart).replaceAll(REGIONAL, letter);
}

/** True if pasting the text could press keys in a terminal or run commands in a shell. */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\u2028\u2029]/u.test(text);
}

/** Programs disagree on the width of a joined emoji. */
function firstPart(joined: string): string {
  const [first = '', second = ''] = joined;
  if (/^[#*0-9]/.test(first)) return `${first}\u20e3`;
  return REGIONAL_PAIR.test(joined) ? first + second : first;
}

function letter(sign: string): string {
  return String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0x1f1a5);
}

const REGIONAL_PAIR = /^[\u{1f1e6}-\u{1f1ff}]{2}$/u;
