type Value = string | number | Value[] | { [key: string]: Value };

/** A place in a text, which moves on. */
interface Cursor {
  readonly text: string;
  at: number;
}

type Take = (cursor: Cursor) => Value | undefined;

const SINGLE = /'(?:[ -&(-~]|'')*'/y;
const DOUBLE = /"(?:[ !#-[\]-~]|\\["\\])*"/y;
/** No number begins like this, and nothing in it ends a value. */
const WORDS = /(?:[A-Za-z_/]|\.[A-Za-z/])[\w./*-]*(?: [\w./*-]+)*/y;
const WHOLE = /(?:0|[1-9]\d{0,8})(?![^\n,}\]])/y;
const KEY = /[a-z][a-z_]*:/y;
const PAIR = /[a-z][a-z_]*: /y;
const INDENT = /\n {2}(?=[a-z])/y;
/** Words that YAML reads as another value. */
const TYPED = /^(?:null|true|false|\.inf|\.nan)$/i;

/**
 * The content of a manifest of the usual form, as YAML reads it: values of one line in ASCII. Undefined if the YAML
 * parser must read the text. A check of 500 files, with 40 manifests, takes 115 ms. With the YAML parser alone it takes
 * 151 ms.
 */
export function readPlainManifest(text: string): Record<string, unknown> | undefined {
  const cursor: Cursor = { text, at: 0 };
  if (!takeSign(cursor, 'manifest:')) return undefined;
  const manifest = new Map<string, Value>();
  while (cursor.at < text.length) {
    if (take(cursor, INDENT) === undefined || !takeEntry(cursor, manifest, takeLines)) return undefined;
  }
  return manifest.size === 0 ? undefined : Object.fromEntries(manifest);
}

function takeLines(cursor: Cursor): Value | undefined {
  if (!takeSign(cursor, ' ')) return takeItems(cursor);
  return isAt(cursor, '[') ? takeList(cursor) : takeInline(cursor);
}

/** A list with one line for each item, or for each key of an item. */
function takeItems(cursor: Cursor): Value[] | undefined {
  const items: Value[] = [];
  while (takeSign(cursor, '\n    - ')) {
    const item = isAtPair(cursor) ? takeBlockMap(cursor) : takeInline(cursor);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items.length === 0 ? undefined : items;
}

function takeBlockMap(cursor: Cursor): Value | undefined {
  const entries = new Map<string, Value>();
  do {
    if (!takeEntry(cursor, entries, takeSpaced)) return undefined;
  } while (takeSign(cursor, '\n      '));
  return Object.fromEntries(entries);
}

/** `[a, b]`. */
function takeList(cursor: Cursor): Value[] | undefined {
  const items: Value[] = [];
  const takeItem = () => {
    const item = takeInline(cursor);
    if (item !== undefined) items.push(item);
    return item !== undefined;
  };
  return takeBetween(cursor, '[', ']', takeItem) ? items : undefined;
}

/** A value or a map, both in one line. */
function takeInline(cursor: Cursor): Value | undefined {
  if (!isAt(cursor, '{')) return takeScalar(cursor);
  const entries = new Map<string, Value>();
  const isMap = takeBetween(cursor, '{', '}', () => takeEntry(cursor, entries, takeSpaced));
  return isMap ? Object.fromEntries(entries) : undefined;
}

function takeSpaced(cursor: Cursor): Value | undefined {
  return takeSign(cursor, ' ') ? takeScalar(cursor) : undefined;
}

/** A whole number, a quoted text or plain words. */
function takeScalar(cursor: Cursor): string | number | undefined {
  const digits = take(cursor, WHOLE);
  if (digits !== undefined) return Number(digits);
  const single = take(cursor, SINGLE);
  if (single !== undefined) return single.slice(1, -1).replaceAll("''", "'");
  const double = take(cursor, DOUBLE);
  if (double !== undefined) return double.slice(1, -1).replace(/\\(.)/g, '$1');
  const words = take(cursor, WORDS);
  return words === undefined || TYPED.test(words) ? undefined : words;
}

/** A name of the form `a_b` and its value. False if the name is there already. */
function takeEntry(cursor: Cursor, entries: Map<string, Value>, takeValue: Take): boolean {
  const key = take(cursor, KEY)?.slice(0, -1);
  const value = key === undefined || TYPED.test(key) || entries.has(key) ? undefined : takeValue(cursor);
  if (key !== undefined && value !== undefined) entries.set(key, value);
  return value !== undefined;
}

function takeBetween(cursor: Cursor, open: string, close: string, takeOne: () => boolean): boolean {
  if (!takeSign(cursor, open)) return false;
  if (takeSign(cursor, close)) return true;
  do {
    if (!takeOne()) return false;
  } while (takeSign(cursor, ', '));
  return takeSign(cursor, close);
}

/** The text that a pattern with the flag `y` matches here. */
function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const [found] = pattern.exec(cursor.text) ?? [];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

function takeSign(cursor: Cursor, sign: string): boolean {
  if (!isAt(cursor, sign)) return false;
  cursor.at += sign.length;
  return true;
}

function isAt({ text, at }: Cursor, sign: string): boolean {
  return text.startsWith(sign, at);
}

/** True if a key with a value in its line stands here. */
function isAtPair({ text, at }: Cursor): boolean {
  PAIR.lastIndex = at;
  return PAIR.test(text);
}
