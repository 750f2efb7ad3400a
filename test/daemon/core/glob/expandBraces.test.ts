import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandBraces } from '../../../../daemon/core/glob/expandBraces.ts';
import { glob } from './arbitrary.ts';
import { expandedByFastGlob } from './fastGlob.ts';

describe('braces', () => {
  it.each([
    ['src/*.ts', ['src/*.ts']],
    ['src/{a,b}.ts', ['src/a.ts', 'src/b.ts']],
    ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd']],
    ['a{b,}', ['ab', 'a']],
    ['{a,a}', ['a']],
    ['{,}', []],
    ['{a}', ['{a}']],
    ['{{a,b}}', ['{a}', '{b}']],
    ['{}', ['{}']],
    ['\\{a,b\\}', ['\\{a,b\\}']],
    ['[{,}]{a,b}', ['[{,}]a', '[{,}]b']],
    ['(x)/{a,b}', ['(x)/a', '(x)/b']],
    ['{1..3}', ['1', '2', '3']],
    ['{3..1}', ['3', '2', '1']],
    ['{-1..1}', ['-1', '0', '1']],
    ['{01..10..3}', ['01', '04', '07', '10']],
    ['{a..c}', ['a', 'b', 'c']],
    ['{A..E..2}', ['A', 'C', 'E']],
  ])('%s', (text, expected) => {
    expect(expandBraces(text)).toEqual(expected);
    if (!text.includes('[{')) expect(new Set(expandedByFastGlob(text))).toEqual(new Set(expected));
  });

  it.each([
    ['too many', '{1..257}'],
    ['too many together', '{1..20}{1..20}'],
    ['never closed', '{a,b'],
    ['never opened', 'a,b}{c,d}'],
    ['with quotes, which fast-glob removes', "'a'{b,c}"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text that is tested.
    ['after a dollar', '${a,b}'],
    ['of a range of odd letters', '{a..Z}'],
    ['of dots beside a comma', '{a..b,c}'],
    ['in parentheses', '({a,b})'],
    ['around parentheses', '{(a),b}'],
    ['beside an open bracket', '[{a,b}'],
  ])('are left alone: %s', (_, text) => {
    expect(expandBraces(text)).toBeUndefined();
  });

  it('become what fast-glob makes of them', () => {
    fc.assert(
      fc.property(glob('odd'), (text) => {
        const expanded = expandBraces(text);
        // fast-glob escapes a bracket that nothing opens, which means the same.
        fc.pre(expanded !== undefined && !text.includes(']'));
        expect(new Set(expanded)).toEqual(new Set(expandedByFastGlob(text)));
      }),
      { numRuns: 5_000, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_103) },
    );
  });
});
