import { expect, test } from 'vitest';
import { summarise } from '../../../../daemon/core/objective/values.ts';
import { crashed, measured, once, repeated } from './givenObjective.ts';

test('takes the mean and the sample standard deviation of repeats', () => {
  const { metrics, deviations } = repeated('sharpe', 1, 2, 3);
  expect(metrics.sharpe).toBe(2);
  expect(deviations.sharpe).toBe(1);
  expect(repeated('sharpe', 2, 4, 4, 4, 5, 5, 7, 9).deviations.sharpe).toBeCloseTo(Math.sqrt(32 / 7), 12);
});

test('a single measurement has no deviation', () => {
  expect(once({ sharpe: 1.5 })).toEqual({
    count: 1,
    metrics: { sharpe: 1.5 },
    deviations: {},
    rounded: {},
    absent: {},
  });
});

test('equal repeats have exactly their value, and a deviation of 0', () => {
  for (const value of [0.1, 1.495, 1e-300, 1.7e308]) {
    const { metrics, deviations } = repeated('sharpe', value, value, value);
    expect([metrics.sharpe, deviations.sharpe]).toEqual([value, 0]);
  }
});

test('a metric that is absent or missing in one repeat is absent, with the reason', () => {
  const nan = measured({ mdd: 0.1 }, { absent: { sharpe: 'it is NaN' } });
  expect(summarise([measured({ sharpe: 1.5, mdd: 0.1 }), nan])).toMatchObject({
    metrics: { mdd: 0.1 },
    absent: { sharpe: 'it is NaN' },
  });
  const without = measured({ mdd: 0.1 });
  expect(summarise([measured({ sharpe: 9, mdd: 0.1 }), without]).absent).toEqual({
    sharpe: 'not every measurement has it',
  });
});

test('a repeat that crashed makes everything absent', () => {
  const { metrics, absent } = summarise([measured({ sharpe: 9, mdd: 0.1 }), crashed('the command failed: exit 1')]);
  expect(metrics).toEqual({});
  expect(absent).toEqual({ sharpe: 'the command failed: exit 1', mdd: 'the command failed: exit 1' });
});

test('takes the coarsest rounding of the repeats', () => {
  const rounded = (off: number) => measured({ sharpe: 1.5 }, { rounded: { sharpe: off } });
  expect(summarise([rounded(0.005), rounded(0.05), measured({ sharpe: 1.5 })]).rounded).toEqual({ sharpe: 0.05 });
});

test('small numbers keep their deviation, and large ones stay finite', () => {
  expect(repeated('loss', 1e-200, 2e-200, 3e-200).deviations.loss).toBeCloseTo(1e-200, 210);
  expect(repeated('loss', 1e-200, 2e-200, 3e-200).deviations.loss).toBeGreaterThan(0.99e-200);
  expect(repeated('loss', 1.7e308, -1.7e308).deviations.loss).toBe(Number.MAX_VALUE);
  expect(repeated('loss', 1.7e308, 1.6e308).absent).toEqual({ loss: 'its values are too large to add' });
});

test('the name of a metric may be __proto__', () => {
  const named = () => JSON.parse('{"__proto__": 2}') as Record<string, number>;
  const { metrics } = summarise([measured(named()), measured(named())]);
  expect(Object.entries(metrics)).toEqual([['__proto__', 2]]);
});

test('nothing measured says nothing', () => {
  const nothing = { count: 0, metrics: {}, deviations: {}, rounded: {}, absent: {} };
  expect(summarise([])).toEqual({ ...nothing, fault: 'it was not measured' });
});
