import { shorten } from '../../../text/phrases.ts';
import { isDeeper } from '../../document/json.ts';

/** A deeper document could not be written again. */
const DEEPEST = 100;

export type ReadJson = { ok: true; value: unknown } | { ok: false; reason: string };

export function readJson(text: string): ReadJson {
  if (isDeeper(text, DEEPEST)) return { ok: false, reason: `it is nested deeper than ${DEEPEST} levels` };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: shorten((error as Error).message) };
  }
}

/**
 * The text with another value for a key of the outermost object. All else stays as it is, letter by letter. The text must be a
 * JSON object with this key.
 */
export function withValue(text: string, key: string, value: string): string {
  const span = spanOf(text, key);
  if (!span) throw new TypeError(`withValue: the text has no key ${key}`);
  return `${text.slice(0, span.from)}${JSON.stringify(value)}${text.slice(span.to)}`;
}

/** Where the value of a key of the outermost object stands. Of two with the same key, the last one counts, as for a parser. */
function spanOf(text: string, key: string): { from: number; to: number } | undefined {
  let found: { from: number; to: number } | undefined;
  let depth = 0;
  let isKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && isKey && JSON.parse(text.slice(at, end)) === key) {
        const from = skipSpace(text, skipSpace(text, end) + 1);
        found = { from, to: endOfValue(text, from) };
      }
      isKey = false;
      at = end - 1;
    } else if (char === '{' || char === '[') {
      depth += 1;
      isKey = depth === 1;
    } else if (char === '}' || char === ']') depth -= 1;
    else if (char === ',' && depth === 1) isKey = true;
  }
  return found;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (
      depth === 0 &&
      (char === ',' || char === '}' || char === ' ' || char === '\n' || char === '\r' || char === '\t')
    )
      return at;
    else if (char === '}' || char === ']') depth -= 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \n\r\t'.includes(text[at] as string)) at += 1;
  return at;
}
