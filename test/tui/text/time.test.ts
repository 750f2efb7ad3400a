import { expect, test } from 'vitest';
import { age } from '../../../schemas/time/duration.ts';
import { elapsed, elapsedChangesAt } from '../../../tui/text/elapsed.ts';
import { ageChangesAt } from '../../../tui/text/time.ts';
import { NOW } from '../given.ts';

const ago = (ms: number) => new Date(NOW - ms).toISOString();
const AGES = [0, 1, 999, 1000, 59_400, 61_000, 3_599_999, 3_600_001, 47 * 3_600_000, 49 * 3_600_000, 9 * 86_400_000];

test.each([
  ['an age', age, (since: string) => ageChangesAt(since, NOW)],
  [
    'a duration',
    (since: string, now: number) => elapsed(since, null, now),
    (since: string) => elapsedChangesAt(since, null, NOW),
  ],
])('%s changes exactly at the announced millisecond', (_, words, changesAt) => {
  for (const ms of AGES) {
    const at = changesAt(ago(ms)) ?? Number.NaN;
    expect(at, `${ms}`).toBeGreaterThan(NOW);
    expect(words(ago(ms), at - 1), `${ms}`).toBe(words(ago(ms), NOW));
    expect(words(ago(ms), at), `${ms}`).not.toBe(words(ago(ms), NOW));
  }
});

test('the time of what has ended, or never began, never changes', () => {
  expect(elapsedChangesAt(ago(5000), ago(1000), NOW)).toBeUndefined();
  expect(elapsedChangesAt(null, null, NOW)).toBeUndefined();
  expect(ageChangesAt(null, NOW)).toBeUndefined();
});
