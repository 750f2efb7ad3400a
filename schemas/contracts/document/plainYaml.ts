/**
 * Reads the few forms of YAML that programs write: values of one line in ASCII. To load and run the YAML parser for them takes
 * longer than everything else about a file. What is not surely of this form is `undefined`, and the parser decides.
 */

/** A place in a text, which moves on. */
export interface Cursor {
  readonly text: string;
  at: number;
}

export interface PlainScalar {
  text: string;
  isQuoted: boolean;
}

const SINGLE = /'(?:[ -&(-~]|'')*'/y;
const DOUBLE = /"(?:[ !#-[\]-~]|\\["\\])*"/y;
/** No number begins like this, and nothing in it ends a value. */
const WORDS = /(?:[A-Za-z_/]|\.[A-Za-z/])[\w./*-]*(?: [\w./*-]+)*/y;
const WHOLE = /(?:0|[1-9]\d{0,8})(?![^\n,}\]])/y;
const KEY = /[a-z][a-z_]*:/y;
const PAIR = /[a-z][a-z_]*: /y;
/** Words that YAML reads as another value. */
const TYPED = /^(?:null|true|false|\.inf|\.nan)$/i;

/** The text that a pattern with the flag `y` matches here. */
export function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const [found] = pattern.exec(cursor.text) ?? [];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

export function isAt(cursor: Cursor, sign: string): boolean {
  return cursor.text.startsWith(sign, cursor.at);
}

export function takeSign(cursor: Cursor, sign: string): boolean {
  if (!isAt(cursor, sign)) return false;
  cursor.at += sign.length;
  return true;
}

/** A quoted text or plain words. */
export function takeText(cursor: Cursor): PlainScalar | undefined {
  const single = take(cursor, SINGLE);
  if (single !== undefined) return { text: single.slice(1, -1).replaceAll("''", "'"), isQuoted: true };
  const double = take(cursor, DOUBLE);
  if (double !== undefined) return { text: double.slice(1, -1).replace(/\\(.)/g, '$1'), isQuoted: true };
  const text = take(cursor, WORDS);
  return text === undefined || TYPED.test(text) ? undefined : { text, isQuoted: false };
}

/** The digits of a whole number. */
export function takeWhole(cursor: Cursor): string | undefined {
  return take(cursor, WHOLE);
}

/** The values of `[a, b]`. */
export function takeList<T>(cursor: Cursor, takeItem: (cursor: Cursor) => T | undefined): T[] | undefined {
  return takeBetween(cursor, '[', ']', takeItem);
}

/** The entries of `{a: 1, b: 2}`. Keys are names of the form `a_b`; none is twice. */
export function takeMap<T>(cursor: Cursor, takeValue: (cursor: Cursor) => T | undefined): Map<string, T> | undefined {
  const entries = takeBetween(cursor, '{', '}', () => {
    const key = takeKey(cursor);
    const value = key === undefined || !takeSign(cursor, ' ') ? undefined : takeValue(cursor);
    return value === undefined ? undefined : ([key as string, value] as const);
  });
  const found = new Map(entries);
  return found.size === entries?.length ? found : undefined;
}

/** True if a key with a value in its line stands here. */
export function isAtPair({ text, at }: Cursor): boolean {
  PAIR.lastIndex = at;
  return PAIR.test(text);
}

/** The name before a colon. */
export function takeKey(cursor: Cursor): string | undefined {
  const key = take(cursor, KEY)?.slice(0, -1);
  return key === undefined || TYPED.test(key) ? undefined : key;
}

function takeBetween<T>(
  cursor: Cursor,
  open: string,
  close: string,
  takeOne: (cursor: Cursor) => T | undefined,
): T[] | undefined {
  if (!takeSign(cursor, open)) return undefined;
  const found: T[] = [];
  if (takeSign(cursor, close)) return found;
  do {
    const one = takeOne(cursor);
    if (one === undefined) return undefined;
    found.push(one);
  } while (takeSign(cursor, ', '));
  return takeSign(cursor, close) ? found : undefined;
}
