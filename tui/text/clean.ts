import { PLAIN } from '../../cli/client/textWidth.ts';

/** What breaks a line or ends a field stands for a space; all else that is no picture of its own is left out. */
const BREAK = /[\n\r\v\f\u0085\u2028\u2029]+/g;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** As UNSEEN, but for what holds a cluster together: that is needed to see where one ends. */
const UNSEEN_ALONE = /(?![\u200d\ufe0e\ufe0f\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const NOT_ALONE = /\p{Mark}|\u200d|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]|[\ufe0e\ufe0f]|[\u{e0020}-\u{e007f}]/u;
const REGIONAL = /[\u{1f1e6}-\u{1f1ff}]/gu;
const PICTURE = /^[\p{Emoji_Presentation}\p{Extended_Pictographic}]/u;
/** A letter with more of these is no letter: terminals keep some twenty bytes of a cell. */
const MOST_MARKS = 6;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Text that terminals measure alike: no control characters, nothing that turns the direction or is not seen, and of a joined
 * emoji (families, skin tones, flags) its first part alone, because programs disagree on the width of the whole.
 */
export function clean(text: string): string {
  if (PLAIN.test(text)) return text;
  const whole = text.toWellFormed().replaceAll('\t', '  ').replaceAll(BREAK, ' ');
  const printable = whole.replaceAll(UNSEEN_ALONE, '').normalize('NFC');
  if (!NOT_ALONE.test(printable)) return printable;
  let result = '';
  for (const { segment } of segmenter.segment(printable)) result += firstPart(segment);
  return result.normalize('NFC');
}

/** Flags are two letters; of other pictures the first is kept; marks stay on their letter, and none stands alone. */
function firstPart(cluster: string): string {
  const letters = cluster.replaceAll(REGIONAL, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0x1f1a5));
  if (letters !== cluster) return letters.replaceAll(UNSEEN, '').replaceAll(/\p{Mark}/gu, '');
  const [base = '', ...others] = cluster.replaceAll(UNSEEN, '');
  if (PICTURE.test(base)) return base;
  return /\p{Mark}/u.test(base) ? '' : base + others.slice(0, MOST_MARKS).join('');
}
