import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { readPlainManifest } from '../../../../../schemas/contracts/handover/manifest/plainManifest.ts';
import { givenManifest } from '../given.ts';

/** What YAML reads; undefined if it finds a fault, or a key twice. */
function parsed(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  return document.errors.length + document.warnings.length === 0 ? document.toJS({ maxAliasCount: 0 }) : undefined;
}

/** Whether the text has the plain form. Then YAML must read the same, with the keys in the same order. */
function isReadAlike(text: string): boolean {
  const plain = readPlainManifest(text);
  if (plain === undefined) return false;
  const value = parsed(text);
  expect(value, text).toEqual({ manifest: plain });
  expect(JSON.stringify({ manifest: plain })).toBe(JSON.stringify(value));
  return true;
}

const WORDS = [
  ...['src/login.ts', '.github/x.yml', './a', '../a', '**/*.ts', 'a b', 'a - b', 'a: b', 'a #b', 'a#b', "it's", 'a"b'],
  ...[
    'true',
    'True',
    'false',
    'null',
    'Null',
    '~',
    'yes',
    'no',
    '.inf',
    '.INF',
    '.nan',
    '.5',
    '.e5',
    '...',
    '---',
    '-',
    '- a',
  ],
  ...['0', '1', '-1', '+1', '007', '0x1f', '0o7', '1e3', '1.5', '1_000', '999999999', '12345678901234567890'],
  ...['&a', '*a', '!a', '!!str 1', '%a', '@a', '`a`', '|', '>', '?', '? a', ':', ',', '[', ']', '{', '}', '[]', '{}'],
  ...['<<', '__proto__', 'constructor', '', ' ', '\t', 'é', '\u2028', '\uFEFF', '\r', 'x'.repeat(1100), '2026-01-22'],
];
const QUOTED = [
  '',
  'a',
  "''",
  "'",
  '\\\\',
  '\\"',
  '\\(',
  '\\n',
  '\\',
  '"',
  ' #',
  ': ',
  '[',
  '\n',
  '\t',
  ' ',
  'é',
  '^a+$',
];
const KEYS = [
  'expected_paths',
  'min_file_count',
  'path',
  'pattern',
  'a',
  'null',
  'true',
  'A',
  '_a',
  '1',
  '<<',
  'a b',
  '',
];

const quoted = fc.array(fc.constantFrom(...QUOTED), { maxLength: 4 }).map((parts) => parts.join(''));
const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('src/a.ts', '1', "'^feat'", '"a\\\\(b"', '.github/a', 'two words') },
  fc.constantFrom(...WORDS),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((both) => both.join('')),
  quoted.map((text) => `'${text}'`),
  quoted.map((text) => `"${text}"`),
);
const key = fc.oneof({ weight: 6, arbitrary: fc.constantFrom('path', 'pattern', 'a_b') }, fc.constantFrom(...KEYS));
const gap = fc.oneof({ weight: 20, arbitrary: fc.constant(' ') }, fc.constantFrom('', '  ', '\t', '\n', ' # '));
const comma = fc.oneof({ weight: 20, arbitrary: fc.constant(', ') }, fc.constantFrom(',', ' ,', ',\n', ' '));
const pair = fc.tuple(key, gap, scalar).map(([name, space, value]) => `${name}:${space}${value}`);
const map = fc.tuple(fc.array(pair, { maxLength: 3 }), comma).map(([all, between]) => `{${all.join(between)}}`);
const inline = fc.oneof(scalar, map);
const list = fc.tuple(fc.array(inline, { maxLength: 3 }), comma).map(([all, between]) => `[${all.join(between)}]`);
const indent = fc.oneof({ weight: 30, arbitrary: fc.constant('') }, fc.constantFrom(' ', '  ', '\t', '- '));
const block = fc
  .array(
    fc.tuple(
      indent,
      fc.oneof(
        inline,
        pair,
        fc.tuple(pair, pair).map((both) => both.join('\n      ')),
      ),
    ),
    {
      maxLength: 3,
    },
  )
  .map((items) => items.map(([more, item]) => `\n    ${more}- ${item}`).join(''));
const field = fc
  .tuple(
    indent,
    key,
    fc.oneof(
      fc.tuple(gap, fc.oneof(scalar, list, map)).map((both) => both.join('')),
      block,
    ),
  )
  .map(([more, name, value]) => `\n  ${more}${name}:${value}`);
const end = fc.oneof(
  { weight: 20, arbitrary: fc.constant('') },
  fc.constantFrom('\n', ' ', '\n  ', '\n# a', '\n...', '\r'),
);
const manifest = fc
  .tuple(fc.array(field, { maxLength: 4 }), end)
  .map(([all, last]) => `manifest:${all.join('')}${last}`);

describe('the plain form of a manifest', () => {
  test('means what YAML reads', () => {
    let count = 0;
    fc.assert(
      fc.property(manifest, (text) => {
        if (isReadAlike(text)) count += 1;
      }),
      { numRuns: 4000 },
    );
    expect(count).toBeGreaterThan(100);
  });

  test('means what YAML reads, also with one character changed', () => {
    const base = readable([
      "manifest:\n  a: [src/a.ts, 'b c']\n  b: 1\n  c: '^feat: it''s'\n  d: []\n  e: [{path: a, pattern: \"x\\\\(\"}]",
      'manifest:\n  a:\n    - .github/a\n    - two words\n  e:\n    - path: a\n      pattern: "b"\n    - {path: c, pattern: d}',
    ]);
    const signs = [...' \n\t-:?,[]{}#&*!|>\'"%@`~.\\01aA_é\r', ''];
    for (const text of base) {
      for (let at = 0; at <= text.length; at += 1) {
        for (const sign of signs) {
          isReadAlike(text.slice(0, at) + sign + text.slice(at));
          isReadAlike(text.slice(0, at) + sign + text.slice(at + 1));
        }
      }
    }
  });

  test('is what programs write', () => {
    const lines = givenManifest(undefined, '').split('\n').slice(1, -2);
    readable([lines.join('\n')]);
  });
});

function readable(texts: readonly string[]): readonly string[] {
  for (const text of texts) expect(isReadAlike(text), text).toBe(true);
  return texts;
}
