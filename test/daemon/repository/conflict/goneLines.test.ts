import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goneLines } from '../../../../daemon/repository/conflict/goneLines.ts';

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const gone = (base: string[], ours: string[], theirs: string[], result: string[]) =>
  goneLines({ base: text(base), ours: text(ours), theirs: text(theirs), result: text(result) });

describe('the lines that a resolution lost', () => {
  it.each<[string, string[], string[], string[], string[], ReturnType<typeof goneLines>]>([
    ['nothing if both additions are there', ['a'], ['a', 'x'], ['a', 'y'], ['a', 'x', 'y'], []],
    ["ours' addition", ['a'], ['a', 'x'], ['a', 'y'], ['a', 'y'], [{ side: 'ours', text: 'x' }]],
    ["theirs' addition", ['a'], ['a', 'x'], ['a', 'y'], ['a', 'x'], [{ side: 'theirs', text: 'y' }]],
    ['nothing for what both added once', ['a'], ['a', 'x'], ['a', 'x'], ['a', 'x'], []],
    ['what both added', ['a'], ['a', 'x'], ['a', 'x'], ['a'], [{ side: 'ours', text: 'x' }]],
    ['one of two equal lines', ['a'], ['a', 'x', 'x'], ['a'], ['a', 'x'], [{ side: 'ours', text: 'x' }]],
    ['a second copy of a line of the base', ['a'], ['a', 'a'], ['a'], ['a'], [{ side: 'ours', text: 'a' }]],
    ['nothing that only the base had', ['a', 'b'], ['a'], ['a', 'b'], ['a'], []],
    ['nothing that a side took away', ['a', 'b'], ['b'], ['a'], [], []],
    [
      'a changed line on both sides',
      ['f(a)'],
      ['f(a, b)'],
      ['f(a, c)'],
      ['f(a, b, c)'],
      [
        { side: 'ours', text: 'f(a, b)' },
        { side: 'theirs', text: 'f(a, c)' },
      ],
    ],
    ['nothing for other white space', ['a'], ['a', '\tx  y'], ['a'], ['a', '    x y '], []],
    [
      'nothing for a comma at the end',
      ['"x": 1'],
      ['"x": 1,', '"a": 2'],
      ['"x": 1,', '"b": 3'],
      ['"x": 1,', '"a": 2,', '"b": 3'],
      [],
    ],
    ['nothing for brackets and empty lines', ['a'], ['a', '', '  });', '}'], ['a'], ['a'], []],
    ['signs with a meaning', ['a'], ['a', '*'], ['a'], ['a'], [{ side: 'ours', text: '*' }]],
    [
      'a whole new file',
      [],
      ['x', 'y'],
      ['z'],
      ['z'],
      [
        { side: 'ours', text: 'x' },
        { side: 'ours', text: 'y' },
      ],
    ],
  ])('are %s', (_, base, ours, theirs, result, expected) => {
    expect(gone(base, ours, theirs, result)).toEqual(expected);
  });

  const file = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });
  it('are none if the result has all lines of both sides', () => {
    fc.assert(
      fc.property(file, file, file, (base, ours, theirs) => {
        expect(gone(base, ours, theirs, [...ours, ...theirs])).toEqual([]);
      }),
    );
  });
  it('are all additions if the result is empty, and none if nobody added any', () => {
    fc.assert(
      fc.property(file, file, (base, ours) => {
        const added = [...new Set(ours)].filter((line) => count(ours, line) > count(base, line));
        expect(
          gone(base, ours, base, [])
            .map((line) => line.text)
            .sort(),
        ).toEqual(added.sort());
        expect(gone(base, base, base, [])).toEqual([]);
      }),
    );
  });
});

function count(lines: readonly string[], line: string): number {
  return lines.filter((each) => each === line).length;
}
