import { describe, expect, test } from 'vitest';
import { judge } from '../../../../daemon/core/objective/judge.ts';
import { type Summary, summarise } from '../../../../daemon/core/objective/values.ts';
import type { Measurement } from '../../../../schemas/objective/measured.ts';
import type { ObjectiveDocument } from '../../../../schemas/objective/readObjective.ts';
import { crashed, objectiveOf, once, repeated } from './givenObjective.ts';

/** A mean of 1 and a standard deviation of 0.1: a gain must be above 0.2. */
const BASE = repeated('sharpe', 0.9, 1, 1.1);
const judged = (candidate: Summary, objective: Partial<ObjectiveDocument> = {}, best: Summary = BASE, base = BASE) =>
  judge(objectiveOf(objective), { base, best, candidate });

describe('the base', () => {
  const baseOf = (candidate: Summary) => judge(objectiveOf(), { base: null, best: null, candidate });

  test('is kept, because there is nothing else to build on', () => {
    expect(baseOf(BASE)).toMatchObject({ isKept: true, gain: null, needed: 0, reason: 'the base has sharpe 1' });
  });

  test('is kept although a guard does not hold, and does not meet the objective then', () => {
    expect(baseOf(once({ sharpe: 2, trades: 3 }))).toMatchObject({ isKept: true, isMet: false });
    expect(baseOf(once({ sharpe: 2, trades: 30 }))).toMatchObject({ isKept: true, isMet: true });
  });

  test('is not kept if the primary metric is unknown', () => {
    expect(baseOf(once({ mdd: 0.1 }, { absent: { sharpe: 'it is NaN' } }))).toMatchObject({
      isKept: false,
      reason: 'sharpe is unknown: it is NaN',
    });
  });

  test('is what must be beaten while nothing else is known', () => {
    const seen = judge(objectiveOf(), { base: BASE, best: null, candidate: once({ sharpe: 1.1 }) });
    expect(seen.isKept).toBe(false);
    expect(seen.gain).toBeCloseTo(0.1, 12);
  });
});

describe('a gain', () => {
  test.each([
    [1.05, false, 'sharpe gains 0.05, and more than 0.2 is needed to be no accident'],
    [1.19, false, 'sharpe gains 0.19, and more than 0.2 is needed to be no accident'],
    [1.2, false, 'sharpe gains 0.2, and more than 0.2 is needed to be no accident'],
    [1.21, true, 'sharpe gains 0.21, and more than 0.2 was needed'],
    [1, false, 'sharpe is the same: 1'],
    [0.7, false, 'sharpe is worse by 0.3: it was 1 and is 0.7'],
  ])('lucky spikes inside 2σ are not kept: %d is kept: %s', (sharpe, isKept, reason) => {
    expect(judged(once({ sharpe }))).toMatchObject({ isKept, reason });
  });

  test('is measured against the best, with the noise of the base', () => {
    const best = once({ sharpe: 1.5 });
    expect(judged(once({ sharpe: 1.6 }), {}, best).isKept).toBe(false);
    expect(judged(once({ sharpe: 1.8 }), {}, best).isKept).toBe(true);
    expect(judged(once({ sharpe: 1.8 }), {}, best).needed).toBeCloseTo(0.2, 12);
  });

  test('must be above minDelta too', () => {
    const stop = { plateau: { minDelta: 0.5 } };
    expect(judged(once({ sharpe: 1.4 }), { stop })).toMatchObject({
      isKept: false,
      needed: 0.5,
      reason: 'sharpe gains 0.4, and the objective asks for more than 0.5',
    });
    expect(judged(once({ sharpe: 1.6 }), { stop }).isKept).toBe(true);
  });

  test('that equals minDelta is not above it, whatever the last digit of a difference says', () => {
    const [base, stop] = [repeated('sharpe', 1.2, 1.2), { plateau: { minDelta: 0.1 } }];
    expect(1.3 - 1.2).toBeGreaterThan(0.1);
    expect(judged(once({ sharpe: 1.3 }), { stop }, base, base).isKept).toBe(false);
  });

  test('of any size counts where nothing varies', () => {
    const one = once({ sharpe: 1 });
    expect(judged(once({ sharpe: 1 + 1e-12 }), {}, one, one).isKept).toBe(true);
    expect(judged(once({ sharpe: 1 }), {}, one, one).isKept).toBe(false);
    const bytes = once({ sharpe: 2 ** 45 });
    expect(judged(once({ sharpe: 2 ** 45 + 1 }), {}, bytes, bytes).isKept).toBe(true);
  });

  test('is a fall where lower is better', () => {
    const targets = [{ metric: 'kilobytes', op: 'lte' as const, value: 50 }];
    const base = repeated('kilobytes', 100, 100);
    expect(judged(once({ kilobytes: 90 }), { targets }, base, base)).toMatchObject({ isKept: true, gain: 10 });
    expect(judged(once({ kilobytes: 110 }), { targets }, base, base)).toMatchObject({ isKept: false, gain: -10 });
  });

  test('is to come closer to a target of eq, from either side', () => {
    const targets = [{ metric: 'ratio', op: 'eq' as const, value: 5 }];
    const base = repeated('ratio', 8, 8);
    const from = (ratio: number) => judged(once({ ratio }), { targets }, base, base);
    expect(from(6)).toMatchObject({ isKept: true, gain: 2 });
    expect(from(4)).toMatchObject({ isKept: true, gain: 2 });
    expect(from(2)).toMatchObject({ isKept: false, gain: 0, reason: 'ratio is no better: it was 8 and is 2' });
    expect(from(9)).toMatchObject({ isKept: false, gain: -1 });
  });

  test('from one end of all numbers to the other is a number', () => {
    const targets = [{ metric: 'ratio', op: 'eq' as const, value: -1.7e308 }];
    const [base, candidate] = [once({ ratio: 1.7e308 }), once({ ratio: 1.6e308 })];
    const { gain, isKept } = judged(candidate, { targets }, base, base);
    expect([gain, isKept]).toEqual([0, false]);
  });

  test('is unknown without the metric, and its reason names the state that lacks it', () => {
    expect(judged(summarise([crashed('exit 1')]))).toMatchObject({
      isKept: false,
      gain: null,
      reason: 'sharpe is unknown: exit 1',
    });
    expect(judged(once({ sharpe: 9 }), {}, once({ mdd: 1 }))).toMatchObject({
      isKept: false,
      gain: null,
      reason: 'sharpe of the best iteration is unknown',
    });
  });

  test('that is just too small is not rounded to what is needed', () => {
    const stop = { plateau: { minDelta: 0.5 } };
    expect(judged(once({ sharpe: 1.49999999 }), { stop }).reason).toBe(
      'sharpe gains 0.49999999, and the objective asks for more than 0.5',
    );
  });
});

describe('a gain is not enough', () => {
  const both = (sharpe: number, mdd: number, more: Partial<Measurement> = {}) => once({ sharpe, mdd }, more);
  const targets = [
    { metric: 'sharpe', op: 'gte' as const, value: 3 },
    { metric: 'mdd', op: 'lte' as const, value: 0.15 },
  ];

  test('if a guard does not hold', () => {
    expect(judged(once({ sharpe: 2, trades: 12 }))).toMatchObject({
      isKept: false,
      isMet: false,
      reason: 'a guard does not hold: trades must be at least 30 and is 12',
    });
    expect(judged(once({ sharpe: 2 }, { absent: { trades: 'it is null' } }))).toMatchObject({
      isKept: false,
      reason: 'a guard does not hold: trades must be at least 30 and is unknown (it is null)',
    });
    expect(judged(once({ sharpe: 2, trades: 30 }, { rounded: { trades: 5 } })).reason).toBe(
      'a guard does not hold: trades must be at least 30 and is 30 (rounded to 10: it cannot decide)',
    );
  });

  test('if a target that was met is missed', () => {
    const seen = judged(both(2, 0.2), { targets }, both(1, 0.1));
    expect(seen).toMatchObject({
      isKept: false,
      reason: 'the best iteration met a target that is lost: mdd must be at most 0.15 and is 0.2',
    });
  });

  test('if a target that was met is unknown', () => {
    const unknown = once({ sharpe: 2 }, { absent: { mdd: 'it is NaN' } });
    expect(judged(unknown, { targets }, both(1, 0.1)).reason).toBe(
      'the best iteration met a target that is lost: mdd must be at most 0.15 and is unknown (it is NaN)',
    );
  });

  test('but a target that was missed before may be missed still', () => {
    expect(judged(both(2, 0.3), { targets }, both(1, 0.2)).isKept).toBe(true);
  });
});

test('says how far the objective is reached', () => {
  const targets = [
    { metric: 'sharpe', op: 'gte' as const, value: 1.5, weight: 3 },
    { metric: 'mdd', op: 'lte' as const, value: 0.15 },
  ];
  const candidate = once({ sharpe: 1.6, mdd: 0.2, trades: 40 });
  expect(judged(candidate, { targets })).toMatchObject({ weighted: 0.75, isMet: false, isKept: true });
  expect(judged(candidate, { targets, stopWhen: 'weighted' }).isMet).toBe(false);
  const heavy = [{ ...targets[0], weight: 4 } as (typeof targets)[0], ...targets.slice(1)];
  expect(judged(candidate, { targets: heavy, stopWhen: 'weighted' })).toMatchObject({ weighted: 0.8, isMet: true });
});
