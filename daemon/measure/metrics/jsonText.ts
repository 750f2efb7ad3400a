import { Unreadable } from './reading.ts';

/** More are refused: objects of that many values take seconds and gigabytes. */
const MOST_VALUES = 4_000_000;
const MOST_LEVELS = 1_000;

/**
 * Parses JSON, also with the words NaN and Infinity, which Python and others write. They become texts that no number is
 * made of. Throws `Unreadable`.
 */
export function parseJson(bytes: Buffer): unknown {
  const words = wordsOf(bytes);
  const pieces = words.map(({ from, to }, index) => {
    const before = bytes.toString('utf8', words[index - 1]?.to ?? 0, from);
    return `${before}"${bytes.toString('utf8', from, to)}"`;
  });
  pieces.push(bytes.toString('utf8', words.at(-1)?.to ?? 0));
  try {
    return JSON.parse(pieces.join('').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Unreadable(`is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

interface Word {
  from: number;
  to: number;
}

const [QUOTE, BACKSLASH, COMMA, MINUS, N, I] = [...'"\\,-NI'].map((each) => each.charCodeAt(0));
const OPENING = [...'[{'].map((each) => each.charCodeAt(0));
const CLOSING = [...']}'].map((each) => each.charCodeAt(0));

/**
 * The places of such words outside of texts. It goes by bytes, because a regular expression overflows its stack on a
 * long text. It has bounds, because the parser could take minutes.
 */
function wordsOf(bytes: Buffer): Word[] {
  const words: Word[] = [];
  let values = 0;
  let levels = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA) values += 1;
    else if (byte === OPENING[0] || byte === OPENING[1]) levels += 1;
    else if (byte === CLOSING[0] || byte === CLOSING[1]) levels -= 1;
    else if (byte === N || byte === I) {
      const word = byte === N ? 'NaN' : 'Infinity';
      const to = at + word.length;
      if (bytes.toString('latin1', at, to) !== word) continue;
      words.push({ from: bytes[at - 1] === MINUS && byte === I ? at - 1 : at, to });
      at = to - 1;
    }
    if (values > MOST_VALUES) throw new Unreadable(`has more than ${MOST_VALUES} values`);
    if (levels > MOST_LEVELS) throw new Unreadable(`is nested in more than ${MOST_LEVELS} levels`);
  }
  return words;
}

/** The place of the quote that ends a text; the end of the bytes if none does. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object with fields; undefined for anything else. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

const MOST_FIELDS = 10_000;

/** The first fields of an object; a list of millions would take long. */
export function firstFields(fields: Fields): [string, unknown][] {
  const entries: [string, unknown][] = [];
  for (const name in fields) {
    if (entries.length === MOST_FIELDS) break;
    entries.push([name, fields[name]]);
  }
  return entries;
}

/** The value at a JSON pointer; undefined if there is none. */
export function atPointer(document: unknown, pointer: string): unknown {
  if (pointer === '') return document;
  const steps = pointer.replace(/^\//, '').split('/');
  return steps.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null) return undefined;
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return Object.hasOwn(value, key) ? (value as Fields)[key] : undefined;
  }, document);
}
