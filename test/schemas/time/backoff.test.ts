import { expect, test } from 'vitest';
import { backoffMs } from '../../../schemas/time/backoff.ts';

test('doubles the wait after each failure, up to the longest', () => {
  const waits = [0, 1, 2, 3, 4, 5_000].map((failures) => backoffMs(failures, { firstMs: 100, longestMs: 1_000 }));
  expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});
