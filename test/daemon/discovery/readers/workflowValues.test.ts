import { expect, test } from 'vitest';
import { combinationsOf, fill } from '../../../../daemon/discovery/readers/workflowValues.ts';

const fields = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`a${nth}`, value]));

test.each([
  ['axes', fields(30_000, [1, 2])],
  ['values', { os: Array.from({ length: 30_000 }, (_, nth) => nth) }],
  ['fields of a value', { target: [fields(30_000, 'x')] }],
  ['fields of a combination', { include: [fields(30_000, 'x')] }],
])('a matrix with 30,000 %s gives a few combinations of a few values', (_, matrix) => {
  const found = combinationsOf({ strategy: { matrix } });
  expect(found.length).toBeLessThanOrEqual(30);
  expect(Math.max(...found.map((each) => Object.keys(each).length))).toBeLessThanOrEqual(52);
});

test.each(['constructor', 'toString', '__proto__'])('%s is no value', (term) => {
  expect(fill(`\${{ ${term} }}`, { 'matrix.os': 'linux' })).toBeUndefined();
});
