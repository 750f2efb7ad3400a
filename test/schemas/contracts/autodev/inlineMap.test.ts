import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMap, isScalar, parseDocument, Scalar } from 'yaml';
import { readInlineMap } from '../../../../schemas/contracts/autodev/inlineMap.ts';

/** The fields as the YAML parser has them. */
function parsed(text: string): unknown[] {
  const { contents, errors } = parseDocument(text, { schema: 'failsafe' });
  if (errors.length > 0 || !isMap(contents)) return [];
  return contents.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || !isScalar(value)) return [];
    const isQuoted = value.type === Scalar.QUOTE_DOUBLE || value.type === Scalar.QUOTE_SINGLE;
    return [[String(key.value), { text: String(value.value ?? ''), isQuoted }]];
  });
}

const BASES = ['{phase: 0, name: awaiting-invocation, detail: ""}', "{phase: 12, name: 'it''s', detail: \"a \\\\ b\"}"];
const WORDS = ['a', 'phase', 'a b', '0', '4.0', '-1', 'true', 'null', '~', '""', "''", '"a\\n"', '"\\x"', "'", '[a]'];

test('a map in one line means what YAML reads, also with one character changed', () => {
  const signs = [...' \n\t-:?,[]{}#&*!|>\'"%@`~.\\01aA_é\r', ''];
  for (const text of BASES) {
    for (let at = 1; at <= text.length; at += 1) {
      for (const sign of signs) {
        for (const after of [at, at + 1]) {
          const changed = text.slice(0, at) + sign + text.slice(after);
          expect(readInlineMap(changed), changed).toEqual(parsed(changed));
        }
      }
    }
  }
});

test('a map of any words means what YAML reads', () => {
  const word = fc.constantFrom(...WORDS);
  const pairs = fc.array(fc.tuple(word, fc.constantFrom(': ', ':', ' : '), word), { maxLength: 3 });
  fc.assert(
    fc.property(pairs, fc.constantFrom(', ', ',', ' '), fc.constantFrom('', ' ', ' # a', 'a'), (all, comma, end) => {
      const text = `{${all.map((each) => each.join('')).join(comma)}}${end}`;
      expect(readInlineMap(text), text).toEqual(parsed(text));
    }),
    { numRuns: 2000 },
  );
});
