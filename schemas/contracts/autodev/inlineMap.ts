import { isMap, isScalar, parseDocument, Scalar } from 'yaml';
import { isTooNested } from '../document/nesting.ts';
import type { Scalar as Value } from './scalar.ts';

/** A longer map takes the parser too long. */
const LONGEST = 20_000;

/** The fields of `{phase: 0, name: awaiting-invocation, detail: ""}`. None if the text is no such map. */
export function readInlineMap(text: string): [string, Value][] {
  if (!text.startsWith('{') || text.length > LONGEST || isTooNested(text)) return [];
  try {
    // With this schema every scalar stays the text that it is: 4.0 is not 4.
    const { contents, errors } = parseDocument(text, { schema: 'failsafe' });
    if (errors.length > 0 || !isMap(contents)) return [];
    return contents.items.flatMap(({ key, value }): [string, Value][] => {
      if (!isScalar(key) || !isScalar(value)) return [];
      const isQuoted = value.type === Scalar.QUOTE_DOUBLE || value.type === Scalar.QUOTE_SINGLE;
      return [[String(key.value), { text: String(value.value ?? ''), isQuoted }]];
    });
  } catch {
    // Too many levels of nesting.
    return [];
  }
}
