import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff, nearChanges } from '../../../tui/text/lineDiff.ts';

const numbered = (count: number, letter = 'a') => Array.from({ length: count }, (_, nth) => `${letter}${nth}`);

test('finds changes that lie far apart in a long text', () => {
  const before = numbered(5000);
  const after = before.with(0, 'first').with(4999, 'last');
  expect(nearChanges(lineDiff(before, after), 1)).toEqual([
    { sign: '-', text: 'a0' },
    { sign: '+', text: 'first' },
    { sign: ' ', text: 'a1' },
    { skipped: 4996 },
    { sign: ' ', text: 'a4998' },
    { sign: '-', text: 'a4999' },
    { sign: '+', text: 'last' },
  ]);
});

test('shows texts that have almost nothing in common as removed and added, without what begins and ends both', () => {
  const [before, after] = [
    ['begin', ...numbered(2000), 'end'],
    ['begin', ...numbered(2000, 'b'), 'end'],
  ];
  const signs = lineDiff(before, after).map(({ sign }) => sign);
  expect(signs.join('')).toBe(` ${'-'.repeat(2000)}${'+'.repeat(2000)} `);
});

test('shows any number of added lines as added alone', () => {
  const signs = lineDiff(numbered(10), numbered(5000)).map(({ sign }) => sign);
  expect(signs.join('')).toBe(' '.repeat(10) + '+'.repeat(4990));
});

test('has all lines of both texts in their order', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const parts = lineDiff(before, after);
      const without = (sign: string) => parts.filter((part) => part.sign !== sign).map(({ text }) => text);
      expect([without('+'), without('-')]).toEqual([before, after]);
    }),
  );
});
