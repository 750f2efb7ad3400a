import { expect, test } from 'vitest';
import { editDistance, nearest } from '../../../schemas/text/nearest.ts';

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
])('the distance of %j and %j is %d', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test('nearest ignores case, prefers the first among equals, and is undefined without candidates', () => {
  expect(nearest('loglevel', ['LOG_LEVEL', 'DATABASE_URL'])).toBe('LOG_LEVEL');
  expect(nearest('x', ['a', 'b'])).toBe('a');
  expect(nearest('x', [])).toBeUndefined();
});
