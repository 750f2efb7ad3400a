import { expect, test } from 'vitest';
import { unstorableText } from '../../../schemas/definitions/unstorableText.ts';

test('names every text that Postgres cannot store', () => {
  expect(unstorableText({ a: 'fine 🙂', b: ['x', 'nul \0', { c: 'half \ud83d' }], n: 1, z: null })).toEqual([
    { path: '/b/1', message: 'has a NUL or half of a character: leave it out' },
    { path: '/b/2/c', message: 'has a NUL or half of a character: leave it out' },
  ]);
  expect(unstorableText({ 'k\0': 'x' })).toHaveLength(1);
});
