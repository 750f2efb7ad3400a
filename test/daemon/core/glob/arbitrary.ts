import fc from 'fast-check';

const PLAIN = ['a', 'b', '.', '1', 'A', '-', '/', '/', '/'];
const COMMON = ['*', '?', '**', '/**', '/**/', '[ab]', '[!a]', '[a-b]', '[.a]', '{a,b}', '{a,b/*}', '{b,}', '{1..2}'];
const ODD = [
  '[',
  ']',
  '{',
  '}',
  ',',
  '(',
  ')',
  '(a)',
  '(a|b)',
  '|',
  '!',
  '+',
  '++',
  '@',
  '\\',
  '"',
  '$',
  '^',
  ':',
  'é',
];
const NAMES = ['[id]', '[[a]]', '[..a]', '[a-', '{{a.b}}', '(a.b)', '***'];

/** Globs in which little stands for itself, of the same few letters as `path`. */
export function glob(pieces: 'common' | 'odd'): fc.Arbitrary<string> {
  const all = pieces === 'common' ? [...PLAIN, ...COMMON] : [...PLAIN, ...COMMON, ...ODD, ...NAMES];
  return fc
    .array(fc.constantFrom(...all), { minLength: 1, maxLength: 7 })
    .map((chosen) => chosen.join(''))
    .filter((text) => !/^[!/]/.test(text));
}

const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', '.', '1', 'A') },
  { weight: 1, arbitrary: fc.constantFrom('i', '[', ']', '(', ')', '{', '}', '+', '@', '!', '$', 'é', '-', '|') },
);
const segment = fc
  .oneof(
    { weight: 8, arbitrary: fc.array(character, { minLength: 1, maxLength: 3 }).map((each) => each.join('')) },
    { weight: 1, arbitrary: fc.constantFrom(...NAMES, '[ab]', '[a-b]', '(a)', '(a|b)') },
  )
  .filter((text) => text !== '.' && text !== '..');

export const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
