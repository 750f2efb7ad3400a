import { describe, expect, test } from 'vitest';
import { evaluate, isMet, weightOf } from '../../../../daemon/core/objective/evaluate.ts';
import { summarise } from '../../../../daemon/core/objective/values.ts';
import type { Op } from '../../../../schemas/objective/objective.ts';
import { crashed, objectiveOf, once } from './givenObjective.ts';

const target = (op: Op, value: number, metric = 'sharpe', weight = 1) => ({ metric, op, value, weight });
const verdict = (op: Op, wanted: number, seen: number, off = 0) =>
  evaluate([target(op, wanted)], once({ sharpe: seen }, { rounded: { sharpe: off } }))[0];

describe('a target', () => {
  test.each<[Op, number, number, string, number]>([
    ['gte', 1.5, 1.5, 'met', 0],
    ['gte', 1.5, 1.75, 'met', 0.25],
    ['gte', 1.5, 1.25, 'missed', -0.25],
    ['gt', 1.5, 1.5, 'missed', 0],
    ['gt', 1.5, 1.75, 'met', 0.25],
    ['lte', 0.5, 0.5, 'met', 0],
    ['lte', 0.5, 0.75, 'missed', -0.25],
    ['lte', 0.5, 0.25, 'met', 0.25],
    ['lt', 0.5, 0.5, 'missed', 0],
    ['lt', 0.5, 0.25, 'met', 0.25],
    ['eq', 5, 5, 'met', 0],
    ['eq', 5, 5 + 9e-10, 'met', 0],
    ['eq', 5, 5 + 2e-9, 'missed', 5 - (5 + 2e-9)],
    ['eq', 5, 4, 'missed', -1],
    ['eq', 5, 6, 'missed', -1],
  ])('%s %d is compared with %d: %s by %d', (op, wanted, seen, state, margin) => {
    expect(verdict(op, wanted, seen)).toMatchObject({ state, margin, value: seen, target: wanted, reason: null });
  });

  test('a Sharpe of 1.495 does not meet 1.5', () => {
    expect(verdict('gte', 1.5, 1.495)?.state).toBe('missed');
    expect(verdict('gte', 1.5, 1.495, 0.0005)?.state).toBe('missed');
    expect(verdict('gte', 1.5, 1.495, 0.005)?.state).toBe('unknown');
  });

  test('a Sharpe of 1.495 that is printed as 1.5 or 1.50 does not meet 1.5 either', () => {
    for (const [off, printed] of [
      [0.05, 0.1],
      [0.005, 0.01],
    ] as const) {
      expect(verdict('gte', 1.5, 1.5, off)).toMatchObject({
        state: 'unknown',
        value: 1.5,
        margin: null,
        reason: `rounded to ${printed}: it cannot decide`,
      });
    }
  });
});

describe('a rounded value', () => {
  test.each<[Op, number, number, number, string]>([
    ['gte', 1.5, 1.6, 0.05, 'met'],
    ['gte', 1.5, 1.4, 0.05, 'missed'],
    ['gt', 1.5, 1.5, 0.05, 'unknown'],
    ['lte', 0.16, 0.2, 0.05, 'unknown'],
    ['lte', 0.15, 0.2, 0.005, 'missed'],
    ['lt', 0.15, 0.1, 0.005, 'met'],
    ['eq', 5, 5, 0.5, 'unknown'],
    ['eq', 5.2, 5, 0.5, 'unknown'],
    ['eq', 4.8, 5, 0.5, 'unknown'],
    ['eq', 5.6, 5, 0.5, 'missed'],
    ['eq', 5, 5, 1e-12, 'met'],
  ])('%s %d: %d that may be off by %d is %s', (op, wanted, seen, off, state) => {
    const seenAs = verdict(op, wanted, seen, off);
    expect(seenAs?.state).toBe(state);
    expect(seenAs?.margin === null).toBe(state === 'unknown');
  });
});

describe('what is unknown', () => {
  test.each([
    'it is NaN',
    'it is "-"',
    'it is null',
    'the tool gives -100 for a constant series',
    'there are no trades',
  ])('%s: is never met, and the verdict says why', (reason) => {
    const values = once({}, { absent: { sharpe: reason } });
    for (const op of ['gte', 'gt', 'lte', 'lt', 'eq'] as const) {
      const verdicts = evaluate([target(op, -100), target(op, 0), target(op, 100)], values);
      expect(verdicts.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'unknown']);
      expect(verdicts[0]).toMatchObject({ value: null, margin: null, reason });
      expect(isMet({ stopWhen: 'all' }, verdicts)).toBe(false);
      expect(isMet({ stopWhen: 'weighted' }, verdicts)).toBe(false);
    }
  });

  test('keeps its weight', () => {
    const verdicts = evaluate([target('gte', 1), target('lte', 1, 'mdd', 3)], once({ sharpe: 2 }));
    expect(verdicts[1]).toMatchObject({ state: 'unknown', weight: 3, reason: 'the measurement does not have it' });
    expect(weightOf(verdicts)).toBe(0.25);
  });

  test('a crash meets nothing, not even "at most 0"', () => {
    const [seen] = evaluate([target('lte', 0)], summarise([crashed('the command failed: exit 1')]));
    expect(seen?.state).toBe('unknown');
  });
});

describe('a guard', () => {
  const guards = objectiveOf().guards;

  test('counts 1 and is compared as a target is', () => {
    expect(evaluate(guards, once({ trades: 12 }))).toMatchObject([{ metric: 'trades', state: 'missed', weight: 1 }]);
  });

  test('of devflow is left out if the tool never reports its metric', () => {
    expect(evaluate(guards, once({ kilobytes: 80 }))).toEqual([]);
    expect(evaluate(guards, once({}, { absent: { trades: 'it is null' } }))).toMatchObject([{ state: 'unknown' }]);
  });

  test('of the objective is unknown if the tool does not report its metric', () => {
    const own = objectiveOf({ guards: [{ metric: 'trades', op: 'gte', value: 30 }] }).guards;
    expect(evaluate(own, once({ kilobytes: 80 }))).toMatchObject([{ state: 'unknown' }]);
  });
});

describe('an objective', () => {
  const five = (...met: boolean[]) =>
    evaluate(
      met.map((_, index) => target('gte', 1, `m${index}`)),
      once(Object.fromEntries(met.map((isGood, index) => [`m${index}`, isGood ? 1 : 0]))),
    );

  test('all: is met if every target is', () => {
    expect(isMet({ stopWhen: 'all' }, five(true, true))).toBe(true);
    expect(isMet({ stopWhen: 'all' }, five(true, true, true, true, false))).toBe(false);
  });

  test('weighted: is met with 0.8 of the weight', () => {
    expect(isMet({ stopWhen: 'weighted' }, five(true, true, true, true, false))).toBe(true);
    expect(isMet({ stopWhen: 'weighted' }, five(true, true, true, false, false))).toBe(false);
  });

  test('weighted: the sum of weights does not miss 0.8 by its last digit', () => {
    const weights = [0.1, 0.7, 0.2];
    const verdicts = evaluate(
      weights.map((weight, index) => target('gte', 1, `m${index}`, weight)),
      once({ m0: 1, m1: 1, m2: 0 }),
    );
    expect(weightOf(verdicts)).toBeCloseTo(0.8, 12);
    expect(isMet({ stopWhen: 'weighted' }, verdicts)).toBe(true);
  });

  test('weights of any size have a share', () => {
    for (const weight of [1.7e308, 5e-324]) {
      const targets = [target('gte', 1, 'sharpe', weight), target('gte', 1, 'sharpe', weight)];
      expect(weightOf(evaluate(targets, once({ sharpe: 1 })))).toBe(1);
    }
  });

  test('without a target is not met', () => {
    expect(isMet({ stopWhen: 'all' }, [])).toBe(false);
    expect(isMet({ stopWhen: 'weighted' }, [])).toBe(false);
    expect(weightOf([])).toBe(0);
  });
});
