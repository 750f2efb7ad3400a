import { expect, it } from 'vitest';
import { has } from '../../../../daemon/core/glob/charSet.ts';
import { foldSet, foldText, foldUnit } from '../../../../daemon/core/glob/foldCase.ts';

const UNITS = Array.from({ length: 0x10000 }, (_, unit) => unit);

it('folds letters as regular expressions do', () => {
  const folded = Map.groupBy(UNITS, foldUnit);
  for (const [, units] of folded) {
    const [first = 0, ...others] = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`);
    const expression = new RegExp(`^${first}$`, 'i');
    for (const other of others) expect(JSON.parse(`"${other}"`)).toMatch(expression);
  }
  expect(foldText('straße.MD')).toBe(foldText('STRAßE.md'));
});

it('folds a range as regular expressions do', () => {
  for (const [from, to] of [
    ['a', 'c'],
    ['Z', 'b'],
    ['à', 'ö'],
    ['α', 'ω'],
    ['ſ', 'ſ'],
    ['\u212a', '\u212a'],
  ] as const) {
    const set = foldSet([[from.charCodeAt(0), to.charCodeAt(0)]]);
    const expression = new RegExp(`^[${from}-${to}]$`, 'i');
    const wrong = UNITS.filter((unit) => has(set, foldUnit(unit)) !== expression.test(String.fromCharCode(unit)));
    expect([from, to, wrong]).toEqual([from, to, []]);
  }
});
