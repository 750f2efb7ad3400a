import {
  type Cursor,
  isAt,
  isAtPair,
  take,
  takeKey,
  takeList,
  takeMap,
  takeSign,
  takeText,
  takeWhole,
} from '../document/plainYaml.ts';

type Value = string | number | Value[] | { [key: string]: Value };

const INDENT = /\n {2}(?=[a-z])/y;

/** The content of a manifest of the usual form, as YAML reads it; undefined if only the YAML parser can. */
export function readPlainManifest(text: string): Record<string, unknown> | undefined {
  const cursor: Cursor = { text, at: 0 };
  if (!takeSign(cursor, 'manifest:')) return undefined;
  const manifest = new Map<string, Value>();
  while (cursor.at < text.length) {
    const key = take(cursor, INDENT) === undefined ? undefined : takeKey(cursor);
    if (key === undefined || manifest.has(key)) return undefined;
    const value = takeSign(cursor, ' ') ? takeValue(cursor) : takeItems(cursor);
    if (value === undefined) return undefined;
    manifest.set(key, value);
  }
  return manifest.size === 0 ? undefined : Object.fromEntries(manifest);
}

function takeValue(cursor: Cursor): Value | undefined {
  return isAt(cursor, '[') ? takeList(cursor, takeInline) : takeInline(cursor);
}

/** A value or a map, both in one line. */
function takeInline(cursor: Cursor): Value | undefined {
  return isAt(cursor, '{') ? asObject(takeMap(cursor, takeScalar)) : takeScalar(cursor);
}

function takeScalar(cursor: Cursor): string | number | undefined {
  const digits = takeWhole(cursor);
  return digits === undefined ? takeText(cursor)?.text : Number(digits);
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
  const found = new Map<string, Value>();
  do {
    const key = takeKey(cursor);
    const value = key === undefined || !takeSign(cursor, ' ') ? undefined : takeScalar(cursor);
    if (value === undefined || found.has(key as string)) return undefined;
    found.set(key as string, value);
  } while (takeSign(cursor, '\n      '));
  return asObject(found);
}

function asObject(entries: ReadonlyMap<string, Value> | undefined): Value | undefined {
  return entries && Object.fromEntries(entries);
}
