import type { TextPlace } from '../yamlFile.ts';

export interface Hidden extends TextPlace {
  /** `U+202E`. */
  name: string;
}

/** The first hidden character of each line. A byte order mark at the beginning is none. */
export function hiddenCharacters(text: string): Hidden[] {
  if (PLAIN.test(text)) return [];
  return text.split('\n').flatMap((line, index): Hidden[] => {
    if (PLAIN.test(line)) return [];
    const at = firstHidden(line, index === 0 && line.startsWith('\ufeff') ? 1 : 0);
    if (at < 0) return [];
    const point = line.codePointAt(at) ?? 0;
    return [{ line: index + 1, column: at + 1, name: `U+${point.toString(16).toUpperCase().padStart(4, '0')}` }];
  });
}

const PLAIN = /^[\t\n\r\x20-\x7e\xa1-\xac\xae-\u02ff]*$/;

/** Soft hyphen, zero width, bidi, invisible operators, tags and variation selectors for letters. */
const HIDDEN = /[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e01ef}]/gu;
const JOINERS = ['\u200c', '\u200d'];
/** Emoji are joined of several, and some scripts need joiners between their letters. */
const BEFORE_JOINER = /(?:\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier}|(?!\p{Script=Latin})[\p{L}\p{M}])$/u;

function firstHidden(line: string, from: number): number {
  HIDDEN.lastIndex = from;
  for (let found = HIDDEN.exec(line); found !== null; found = HIDDEN.exec(line)) {
    const isJoiner = JOINERS.includes(found[0]);
    if (!isJoiner || !BEFORE_JOINER.test(line.slice(Math.max(0, found.index - 2), found.index))) return found.index;
  }
  return -1;
}
