import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { re2Source } from '../../../../daemon/contracts/pattern/re2Source.ts';

const character = fc.constantFrom(...'aAbz_09 -^$.*+?()[]{}|/\\,:=!<>\'"\t\n\v\f\r\u0008\u00a0\u2028\ufeffäÄéﬀ');
const text = fc.string({ unit: character, maxLength: 12 });
const escaped = fc.constantFrom(
  ...['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\n', '\\t', '\\v', '\\x00', '\\x41', '\\u00e4', '\\cJ'],
  ...['\\.', '\\-', '\\/', '\\]', '\\[', '\\^', '\\$', '\\_', '\\A', '\\z', '\\a', '\\Q', '\\p', '\\e', '\\x', '\\u'],
);
const plain = fc.constantFrom(...'aAbz_09 -,:=!<>/"\'ä', '{', '}', ']');
const member = fc.oneof(
  escaped,
  plain.filter((each) => each !== ']'),
  fc.constantFrom('a-z', '0-9', '\\b', '[', '-'),
);
const group = fc
  .tuple(fc.constantFrom('', '^'), fc.array(member, { maxLength: 4 }))
  .map(([not, members]) => `[${not}${members.join('')}]`);
const edge = fc.constantFrom('^', '$', '\\b', '\\B');
const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '+?', '??', '{,2}');
const { pattern } = fc.letrec<{ pattern: string; piece: string; atom: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('piece'), { maxLength: 4 }), { minLength: 1, maxLength: 2, depthIdentifier: 'pattern' })
    .map((branches) => branches.map((pieces) => pieces.join('')).join('|')),
  piece: fc.oneof({ weight: 5, arbitrary: fc.tuple(tie('atom'), times).map((both) => both.join('')) }, edge),
  atom: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'pattern' },
    fc.oneof(plain, escaped, fc.constant('.'), group),
    fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
  ),
}));

test('matches the same texts as RegExp', () => {
  const counts = { matched: 0, missed: 0 };
  const same = (source: string, given: string) => {
    let expression: RegExp;
    try {
      expression = new RegExp(source);
    } catch {
      fc.pre(false);
      return;
    }
    const translated = re2Source(source);
    expect(translated, source).toBeDefined();
    const expected = expression.test(given);
    counts[expected ? 'matched' : 'missed'] += 1;
    expect([source, given, RE2JS.compile(translated ?? '').test(given)]).toEqual([source, given, expected]);
  };
  fc.assert(fc.property(pattern, text, same), { numRuns: 4_000 });
  expect(counts.matched).toBeGreaterThan(800);
  expect(counts.missed).toBeGreaterThan(800);
});

test.each([
  ['(?<year>\\d{4})-\\d{2}', '2026-11'],
  ['[^]', '\n'],
  ['[\\w-.]+@', 'a-b.c@'],
  ['^[\\d-x]+$', '3-x'],
  ['[\\s\\S]', '\u2028'],
  ['😀{2}', '😀😀'],
  ['^\\0$', '\0'],
])('reads %s as RegExp does', (source, given) => {
  expect(RE2JS.compile(re2Source(source) ?? '').test(given)).toBe(true);
});

test.each(['a(?=b)', 'a(?!b)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<a>x)\\k<a>', '\\07', '\\ud83d', '\ud83d', '(?i:a)'])(
  'leaves out %s, which is not linear or not the same in RE2',
  (source) => {
    expect(re2Source(source)).toBeUndefined();
  },
);

test('ends for a pattern that would backtrack for ever', () => {
  const program = RE2JS.compile(re2Source('(a+)+$') ?? '');
  const many = 'a'.repeat(50_000);
  expect([program.test(`${many}!`), program.test(many)]).toEqual([false, true]);
});
