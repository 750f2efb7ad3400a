import { afterEach, describe, expect, test } from 'vitest';
import {
  atMostNow,
  backoffMs,
  createReportedTimes,
  passedSince,
  steadyNow,
  steadyTimeOf,
  wallTimeOf,
} from '../../../schemas/time/steadyTime.ts';

const HOUR = 3_600_000;
const realNow = Date.now;
/** The calls of one test end within this time, even on a slow machine. */
const SLACK = 60_000;

function setClock(byMs: number): void {
  Date.now = () => realNow() + byMs;
}

afterEach(() => {
  Date.now = realNow;
});

const near = (value: number, expected: number) => expect(Math.abs(value - expected)).toBeLessThan(SLACK);

test.each([-24 * HOUR, -HOUR, HOUR, 24 * HOUR])('the steady clock goes on when the wall clock jumps by %i ms', (by) => {
  const before = steadyNow();
  setClock(by);
  const after = steadyNow();
  expect(after).toBeGreaterThanOrEqual(before);
  near(after, before);
});

test('a time in the future counts as now', () => {
  near(atMostNow(realNow() + HOUR), realNow());
  near(passedSince(realNow() + HOUR), 0);
  near(steadyTimeOf(realNow() + HOUR), steadyNow());
});

test('a time in the past keeps its distance', () => {
  near(passedSince(realNow() - HOUR), HOUR);
  near(steadyTimeOf(realNow() - HOUR), steadyNow() - HOUR);
});

test('a steady time is shown as the wall clock has it now', () => {
  const at = steadyNow() - HOUR;
  near(wallTimeOf(at), realNow() - HOUR);
  setClock(-24 * HOUR);
  near(wallTimeOf(at), realNow() - 25 * HOUR);
});

test.each([-HOUR, HOUR])('a reported time stays where it was when the clock jumps by %i ms', (by) => {
  const times = createReportedTimes();
  const reported = realNow() - 10 * SLACK;
  const at = times.steady(reported);
  setClock(by);
  expect(times.steady(reported)).toBe(at);
});

test.each([-HOUR, HOUR])(
  'a time first seen after the clock jumped by %i ms counts as now, the next as reported',
  (by) => {
    const times = createReportedTimes();
    setClock(by);
    near(times.steady(realNow()), steadyNow());
    near(times.steady(Date.now() - 10 * SLACK), steadyNow() - 10 * SLACK);
  },
);

test('a time first seen after a look is not older than the look', () => {
  const times = createReportedTimes();
  const before = steadyNow();
  times.looked();
  expect(times.steady(realNow() - HOUR)).toBeGreaterThanOrEqual(before);
});

describe('backoff', () => {
  test('doubles the wait after each failure, up to the longest', () => {
    const waits = [0, 1, 2, 3, 4, 5_000].map((failures) => backoffMs(failures, { firstMs: 100, longestMs: 1_000 }));
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });
});
