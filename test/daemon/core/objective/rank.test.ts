import { describe, expect, test } from 'vitest';
import { looksBetter, rank } from '../../../../daemon/core/objective/rank.ts';
import { type Summary, summarise } from '../../../../daemon/core/objective/values.ts';
import type { ObjectiveDocument } from '../../../../schemas/objective/readObjective.ts';
import { measured, objectiveOf, once, repeated } from './givenObjective.ts';

const both = (sharpe: number, mdd: number, more: Record<string, number> = {}) => once({ sharpe, mdd, ...more });
const TARGETS: ObjectiveDocument['targets'] = [
  { metric: 'sharpe', op: 'gte', value: 1.5 },
  { metric: 'mdd', op: 'lte', value: 0.15 },
];
const ranked = (candidate: Summary, before: Summary, given: Partial<ObjectiveDocument> = {}) =>
  rank(objectiveOf({ targets: TARGETS, ...given }), { before, candidate, repeated: [before] });

describe('met targets outrank the primary metric', () => {
  test('a state that meets every target is kept although the primary fell', () => {
    expect(ranked(both(1.6, 0.1), both(2, 0.3))).toMatchObject({
      isKept: true,
      isMet: true,
      gain: expect.closeTo(-0.4),
      reason: 'it meets every target, and the best iteration missed 1',
    });
  });

  test('a state that misses fewer targets is kept, also if it loses one', () => {
    const targets = [...TARGETS, { metric: 'win_rate', op: 'gte' as const, value: 0.5 }];
    const before = both(2, 0.3, { win_rate: 0.4 });
    expect(ranked(both(1, 0.1, { win_rate: 0.6 }), before, { targets })).toMatchObject({
      isKept: true,
      isMet: false,
      reason: 'it misses 1 target, and the best iteration missed 2',
    });
  });

  test('a state that misses more is undone, whatever its primary', () => {
    expect(ranked(both(9, 0.3), both(1.6, 0.1))).toMatchObject({
      isKept: false,
      reason: 'the best iteration met a target that is lost: mdd must be at most 0.15 and is 0.3',
    });
  });

  test('one target for another is no progress', () => {
    expect(ranked(both(1.4, 0.1), both(2, 0.3)).reason).toContain('a target that is lost: sharpe');
  });

  test('with as many targets met, the primary decides', () => {
    expect(ranked(both(1.7, 0.14), both(1.6, 0.1)).isKept).toBe(true);
    expect(ranked(both(1.55, 0.05), both(1.6, 0.1)).isKept).toBe(false);
  });

  test('by weight, where the objective weighs them', () => {
    const given = { stopWhen: 'weighted' as const, targets: TARGETS.map((each) => ({ ...each, weight: 4 })) };
    given.targets.push({ metric: 'trades', op: 'gte', value: 100, weight: 1 });
    expect(ranked(both(2, 0.1, { trades: 40 }), both(3, 0.3, { trades: 200 }), given)).toMatchObject({
      isKept: true,
      isMet: true,
      weighted: expect.closeTo(8 / 9),
    });
    expect(ranked(both(3, 0.3, { trades: 200 }), both(2, 0.1, { trades: 40 }), given).isKept).toBe(false);
  });

  test('a target that was unknown before, and is met, counts', () => {
    expect(ranked(both(1.6, 0.1), once({ sharpe: 2 })).isKept).toBe(true);
  });
});

describe('guards outrank targets', () => {
  const before = both(2, 0.1, { trades: 12 });

  test('what fails a guard is undone, also if it meets every target', () => {
    expect(ranked(both(1.6, 0.1, { trades: 5 }), both(2, 0.3, { trades: 40 })).reason).toContain(
      'a guard does not hold',
    );
  });

  test('what holds them is kept, if the best did not', () => {
    expect(ranked(both(1, 0.3, { trades: 40 }), before)).toMatchObject({
      isKept: true,
      reason: 'a guard holds that the best iteration did not hold: trades is 40',
    });
  });
});

describe('what may be an accident does not count', () => {
  const noisy = (sharpe: number, mdd: number, off: number) =>
    summarise([-1, 0, 0, 1].map((sign) => measured({ sharpe, mdd: mdd + sign * off })));

  test('a target that is met by less than the noise', () => {
    const seen = ranked(noisy(1.6, 0.14, 0.02), noisy(2, 0.16, 0.02));
    expect(seen).toMatchObject({ isKept: false, isMet: false });
    expect(seen.reason).toMatch(
      /^mdd moved by 0\.02, and more than 0\.0\d+ is needed to meet its target by no accident; sharpe is worse by 0\.4/,
    );
    expect(ranked(noisy(1.6, 0.05, 0.02), noisy(2, 0.3, 0.02)).isKept).toBe(true);
  });

  test('a target that is met by less than the noise, beside a sure gain of the primary: the objective is not met yet', () => {
    const [lucky, sure] = [noisy(3, 0.14, 0.02), noisy(3, 0.05, 0.02)];
    const before = noisy(2, 0.16, 0.02);
    expect(ranked(lucky, before)).toMatchObject({ isKept: true, isMet: false });
    expect(ranked(sure, before)).toMatchObject({ isKept: true, isMet: true });
    expect(ranked(noisy(4, 0.14, 0.02), lucky)).toMatchObject({ isKept: true, isMet: true });
  });

  test('a gain of the primary that is less than the noise of everything measured so far', () => {
    const before = repeated('sharpe', 0.9, 1, 1.1);
    const objective = objectiveOf();
    const candidate = repeated('sharpe', 1.3, 1.4, 1.5, 1.4);
    expect(rank(objective, { before, candidate, repeated: [before] })).toMatchObject({ isKept: true });
    const wild = repeated('sharpe', 0, 1, 2);
    const seen = rank(objective, { before, candidate, repeated: [before, wild] });
    expect(seen).toMatchObject({ isKept: false, gain: expect.closeTo(0.4) });
    expect(seen.reason).toContain('is needed to be no accident');
  });

  test('a change that makes its own result noisier must gain more', () => {
    const before = repeated('sharpe', 1, 1.1, 0.9);
    const calm = repeated('sharpe', 1, 1.1, 0.9);
    const states = Array.from({ length: 20 }, () => calm);
    const objective = objectiveOf();
    const needed = (...values: number[]) =>
      rank(objective, { before, candidate: repeated('sharpe', ...values), repeated: states }).needed;
    expect(needed(-1, 4, 2, 3)).toBeGreaterThan(4 * needed(1.9, 2, 2.1, 2));
  });

  test('unless the objective asks for no such thing', () => {
    const before = repeated('sharpe', 0.9, 1, 1.1);
    const objective = objectiveOf({ stop: { plateau: { noise: 0 } } });
    expect(rank(objective, { before, candidate: repeated('sharpe', 1, 1.02), repeated: [before] })).toMatchObject({
      isKept: true,
      needed: 0,
    });
  });
});

describe('a second look', () => {
  const before = repeated('sharpe', 0.9, 1, 1.1);
  const isWorth = (sharpe: number, given: Partial<ObjectiveDocument> = {}) =>
    looksBetter(objectiveOf(given), { before, candidate: once({ sharpe }), repeated: [before] });

  test('is worth it if the first one shows half of what is needed', () => {
    const { needed } = rank(objectiveOf(), { before, candidate: once({ sharpe: 1 }), repeated: [before] });
    expect(isWorth(1 + needed * 0.49)).toBe(false);
    expect(isWorth(1 + needed * 0.51)).toBe(true);
  });

  test('is not taken if the objective wants none', () => {
    expect(isWorth(9, { repeat: { confirm: 0 } })).toBe(false);
  });

  test('is worth it if the first one meets more targets', () => {
    const objective = objectiveOf({ targets: TARGETS });
    const given = { before: both(2, 0.3), repeated: [] };
    expect(looksBetter(objective, { ...given, candidate: both(1.6, 0.1) })).toBe(true);
    expect(looksBetter(objective, { ...given, candidate: both(1.6, 0.2) })).toBe(false);
  });
});
