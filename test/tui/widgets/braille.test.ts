import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brailleCurve } from '../../../tui/widgets/equityCurve.ts';

test('draws a rising line from the lower left to the upper right', () => {
  expect(brailleCurve([0, 1, 2, 3, 4, 5, 6, 7], 4, 2)).toEqual(['  ⡠⠊', '⡠⠊  ']);
});

test('draws the same value in the middle', () => {
  expect(brailleCurve([5, 5], 3, 1)).toEqual(['⠤⠤⠤']);
});

test('has exactly its cells for any points, and none without points', () => {
  expect(brailleCurve([], 4, 2)).toEqual([]);
  fc.assert(
    fc.property(
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), {
        minLength: 1,
        maxLength: 300,
      }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 10 }),
      (points, columns, rows) => {
        const drawn = brailleCurve(points, columns, rows);
        expect(drawn.map((row) => row.length)).toEqual(Array.from({ length: rows }, () => columns));
        expect(drawn.join('')).toMatch(/[\u2801-\u28ff]/);
      },
    ),
  );
});
