import { describe, expect, test } from 'vitest';
import { faultsOfObjective } from '../../../schemas/objective/objectiveFaults.ts';
import type { ObjectiveDocument } from '../../../schemas/objective/readObjective.ts';

type Target = ObjectiveDocument['targets'][number];
const target = (metric: string, op: Target['op'], value: number, more: Partial<Target> = {}): Target => ({
  metric,
  op,
  value,
  ...more,
});
const objective = (targets: Target[], more: Partial<ObjectiveDocument> = {}): ObjectiveDocument => ({
  targets,
  measure: { argv: ['measure'] },
  ...more,
});
const faultsOf = (...given: Parameters<typeof objective>) => faultsOfObjective(objective(...given)).faults;
const warningsOf = (...given: Parameters<typeof objective>) => faultsOfObjective(objective(...given)).warnings;
const percent = { unit: 'percent' as const };

describe('a unit that cannot be is a fault that shows both readings', () => {
  test.each<[Target, string]>([
    [target('mdd', 'lte', 15), 'mdd at most 15 reads as 1500 %: give it "unit": "percent" for 15 %, or write 0.15'],
    [
      target('win_rate', 'gte', 40),
      'win_rate at least 40 reads as 4000 %: give it "unit": "percent" for 40 %, or write 0.4',
    ],
    [
      target('mdd', 'lte', 0.15, percent),
      'mdd at most 0.15 percent reads as 0.15 %: write 15 for 15 %, or 0.0015 without a unit',
    ],
    [
      target('mdd', 'lte', 0.07, percent),
      'mdd at most 0.07 percent reads as 0.07 %: write 7 for 7 %, or 0.0007 without a unit',
    ],
    [
      target('exposure', 'lte', 150, percent),
      'exposure at most 150 percent reads as 150 %, and exposure is at most 100 %',
    ],
    [target('mdd', 'gte', -0.15), 'mdd at least -0.15 reads as -15 %, and mdd is never negative: write 0.15'],
    [
      target('sharpe', 'gte', 150, percent),
      'sharpe at least 150 percent reads as 1.5, and sharpe is no percentage: leave its unit out',
    ],
    [
      target('Max. Drawdown [%]', 'lte', 15),
      'Max. Drawdown [%] at most 15 reads as 1500 %: give it "unit": "percent" for 15 %, or write 0.15',
    ],
  ])('%j', (given, fault) => {
    expect(faultsOf([given])).toEqual([fault]);
    expect(faultsOf([target('p95', 'lte', 1)], { guards: [given] })).toEqual([fault]);
  });

  test.each([
    [target('mdd', 'lte', 15, percent)],
    [target('mdd', 'lte', 1)],
    [target('win_rate', 'gte', 0.8)],
    [target('total_return', 'gte', 1.5)],
    [target('total_return', 'gte', 150, percent)],
    [target('bundle', 'lte', 200_000)],
    [target('p95', 'lte', 15)],
  ])('but not %j', (given) => {
    expect(faultsOfObjective(objective([given]))).toEqual({ faults: [], warnings: [] });
  });

  test('and a large return is worth a warning', () => {
    expect(warningsOf([target('total_return', 'gte', 25)])).toEqual([
      'total_return at least 25 reads as 2500 %; for 25 %, give it "unit": "percent"',
    ]);
  });
});

describe('what can never be met is a fault', () => {
  test.each<[string, Target[], Partial<ObjectiveDocument>, string]>([
    [
      'targets that contradict each other',
      [target('sharpe', 'gte', 2), target('sharpe', 'lte', 1)],
      {},
      'no sharpe is at least 2 and at most 1',
    ],
    [
      'an open end that is closed',
      [target('p95', 'gt', 2), target('p95', 'lte', 2)],
      {},
      'no p95 is more than 2 and at most 2',
    ],
    ['two values at once', [target('p95', 'eq', 2), target('p95', 'eq', 3)], {}, 'no p95 is equal to 2 and equal to 3'],
    ['a target that a guard forbids', [target('trades', 'lte', 10)], {}, 'no trades is at most 10 and at least 30'],
    ['more than everything', [target('win_rate', 'gt', 1)], {}, 'no win_rate is more than 1: it is from 0 to 1'],
    [
      'a direction against the target',
      [target('mdd', 'lte', 0.2)],
      { primary: { metric: 'mdd', better: 'higher' } },
      'primary says that a higher mdd is better, and a target wants mdd at most 0.2',
    ],
    [
      'a metric that nothing reads',
      [target('p95', 'lte', 2)],
      { measure: { argv: ['m'], parser: 'json', names: { p50: '/p50' } } },
      'p95 is never measured: measure.names does not have it',
    ],
    [
      'a part that ends before it begins',
      [target('p95', 'lte', 2)],
      { splits: { validation: { from: '2023-06-01', to: '2023-01-31' } } },
      'splits.validation ends before it begins: 2023-06-01 to 2023-01-31',
    ],
  ])('%s', (_, targets, more, fault) => {
    expect(faultsOf(targets, more)).toEqual([fault]);
  });

  test('by weight, only if too little is left', () => {
    const targets = [target('win_rate', 'gt', 1, { weight: 1 }), target('p95', 'lte', 2, { weight: 1 })];
    expect(faultsOf(targets, { stopWhen: 'weighted' })).toHaveLength(1);
    const light = [{ ...targets[0], weight: 0.1 } as Target, ...targets.slice(1)];
    expect(faultsOf(light, { stopWhen: 'weighted' })).toEqual([]);
  });

  test('but not a band for the primary metric', () => {
    const band = [target('sharpe', 'gte', 1), target('sharpe', 'lte', 3)];
    expect(faultsOf(band, { primary: { metric: 'sharpe', better: 'higher' } })).toEqual([]);
  });

  test.each([
    [{ validation: { from: '2023', to: '2023-06' } }],
    [{ validation: { from: '9', to: '10' } }],
    [{ validation: { from: 'spring', to: 'autumn' } }],
  ])('but not the bounds %j', (splits) => {
    expect(faultsOf([target('p95', 'lte', 2)], { splits })).toEqual([]);
  });
});

test.each([
  [{ from: '2022-06-01', to: '2023-12-31' }, 1],
  [{ from: '2023-01-01', to: '2023-12-31' }, 0],
  [{ from: 'B', to: 'C' }, 0],
])('a holdout %j beside a validation of 2022 gives %i warnings', (holdout, count) => {
  const splits = { validation: { from: '2022-01-01', to: '2022-12-31' }, holdout };
  expect(warningsOf([target('p95', 'lte', 2)], { splits })).toHaveLength(count);
});
