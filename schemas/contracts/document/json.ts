/**
 * True if the lists and objects of a JSON text are nested deeper. A parsed value that is too deep could not be written
 * again.
 */
export function isDeeper(text: string, deepest: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isText) {
      if (sign === '\\') at += 1;
      else if (sign === '"') isText = false;
    } else if (sign === '"') isText = true;
    else if (sign === '[' || sign === '{') {
      depth += 1;
      if (depth > deepest) return true;
    } else if (sign === ']' || sign === '}') depth -= 1;
  }
  return false;
}

/** A JSON file as devflow writes it: two spaces, and a line break at its end. */
export function jsonDocument(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The kind of a JSON value where an object is wanted: the end of a sentence. */
export function notAnObject(value: unknown): string {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : KINDS[typeof value];
  return `${kind}, not an object`;
}

const KINDS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };

/** Deeper values could not be printed again. */
const DEEPEST = 200;

type Json = { ok: true; value: unknown } | { ok: false; reason: string };

/** Reads JSON that a program or an agent wrote. */
export function readJson(text: string): Json {
  if (isDeeper(text, DEEPEST)) return { ok: false, reason: `it is nested more than ${DEEPEST} levels deep` };
  try {
    return { ok: true, value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch {
    return { ok: false, reason: 'it is not JSON' };
  }
}

const WHOLE = /^-?(?:0|[1-9]\d*)$/;

/** The kind that a value of `key=value` has: `true`, `false`, `null`, a whole number, else text. */
export function typedWord(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return WHOLE.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
