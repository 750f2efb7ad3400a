import { expect, test } from 'vitest';
import { afterTry, LONGEST_AGE_MS, LONGEST_WAIT_MS } from '../../../../daemon/notify/webhook/afterTry.ts';
import { verdictOf } from '../../../../daemon/notify/webhook/deliver.ts';

const failed = { is: 'failed', reason: 'HTTP 500' } as const;
const refused = { is: 'refused', reason: 'HTTP 404' } as const;

test.each([
  [200, 'taken'],
  [204, 'taken'],
  [301, 'refused'],
  [308, 'refused'],
  [400, 'refused'],
  [404, 'refused'],
  [408, 'failed'],
  [410, 'refused'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
])('HTTP %i is %s', (status, is) => {
  expect(verdictOf(status).is).toBe(is);
});

test('waits twice as long after each failure, and at most five minutes', () => {
  const waits = [1, 2, 3, 9, 10, 100].map((tries) => afterTry(failed, { tries, failures: tries, ageMs: 0 }));
  expect(waits).toEqual(
    [1000, 2000, 4000, 256_000, LONGEST_WAIT_MS, LONGEST_WAIT_MS].map((inMs) => ({ is: 'again', inMs })),
  );
});

test('failures of earlier news count, so a receiver that is away is not hurried by each new one', () => {
  expect(afterTry(failed, { tries: 1, failures: 5, ageMs: 0 })).toEqual({ is: 'again', inMs: 16_000 });
});

test('gives up after a day, or at the third try of what is refused', () => {
  expect(afterTry(failed, { tries: 300, failures: 300, ageMs: LONGEST_AGE_MS - 1 })).toMatchObject({ is: 'again' });
  expect(afterTry(failed, { tries: 300, failures: 300, ageMs: LONGEST_AGE_MS })).toEqual({ is: 'givenUp' });
  expect(afterTry(refused, { tries: 2, failures: 2, ageMs: 0 })).toEqual({ is: 'again', inMs: 2000 });
  expect(afterTry(refused, { tries: 3, failures: 3, ageMs: 0 })).toEqual({ is: 'givenUp' });
});

test('what is taken is done, however old', () => {
  expect(afterTry({ is: 'taken' }, { tries: 9, failures: 0, ageMs: LONGEST_AGE_MS * 2 })).toEqual({ is: 'done' });
});
