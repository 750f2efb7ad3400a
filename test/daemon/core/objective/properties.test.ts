import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judge } from '../../../../daemon/core/objective/judge.ts';
import { type StopFacts, stopNext } from '../../../../daemon/core/objective/stopNext.ts';
import { summarise } from '../../../../daemon/core/objective/values.ts';
import { Measurement, Verdict } from '../../../../schemas/objective/measured.ts';
import type { Objective } from '../../../../schemas/objective/objective.ts';
import { readObjective } from '../../../../schemas/objective/readObjective.ts';
import { measured } from './givenObjective.ts';

const name = fc.constantFrom('sharpe', 'mdd', 'trades', '__proto__', 'constructor', '');
/** Any number of a measurement, and often one of few: equal values and limits that are just reached matter most. */
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1, 1.5, 1.495, -1, 0.1, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE),
  fc.integer({ min: -30, max: 30 }).map((value) => value / 10),
);
const record = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(name, value), { maxLength: 6 }).map((entries) => Object.fromEntries(entries));
const measurement: fc.Arbitrary<Measurement> = fc
  .record({
    metrics: record(number),
    rounded: record(number),
    absent: record(fc.string({ maxLength: 5 })),
    fault: fc.option(fc.string({ maxLength: 5 }), { freq: 8 }),
  })
  .map(({ metrics, ...more }) => measured(metrics, more));
const repeats = fc.array(measurement, { minLength: 1, maxLength: 4 });

const op = fc.constantFrom('gte' as const, 'lte' as const, 'eq' as const, 'gt' as const, 'lt' as const);
const positive = fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true });
const atLeastZero = fc.oneof(fc.constantFrom(0, 0.1, 2), positive);
/** An objective was read from JSON that devflow wrote, which has no -0. */
const compared = fc.record({ metric: name, op, value: number.map((value) => value + 0) });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const objective: fc.Arbitrary<Objective> = fc
  .record({
    targets: fc.array(
      compared.chain((each) => fc.oneof(fc.constantFrom(0.1, 0.7, 1), positive).map((weight) => ({ ...each, weight }))),
      { minLength: 1, maxLength: 4 },
    ),
    guards: optional(fc.array(compared, { maxLength: 2 })),
    stopWhen: fc.constantFrom('all' as const, 'weighted' as const),
    primary: fc.record({ metric: name, better: fc.constantFrom('higher' as const, 'lower' as const) }),
    minDelta: atLeastZero,
    noise: atLeastZero,
  })
  .map(({ guards, minDelta, noise, ...document }) =>
    readObjective({ ...document, ...(guards ? { guards } : {}), stop: { plateau: { minDelta, noise } } }),
  );
const judging = fc.record({ objective, base: fc.option(repeats), best: fc.option(repeats), candidate: repeats });

interface Judging {
  objective: Objective;
  base: Measurement[] | null;
  best: Measurement[] | null;
  candidate: Measurement[];
}

const judgementOf = ({ objective: wanted, base, best, candidate }: Judging) =>
  judge(wanted, {
    base: base && summarise(base),
    best: best && summarise(best),
    candidate: summarise(candidate),
  });

/** All numbers in a value. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}

/** Postgres reorders the keys of a stored object. */
function reordered<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reordered) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, reordered(each)] as const),
  ) as T;
}

const RUNS = { numRuns: 2000 };

test('the measurements tried here are ones that the log takes', () => {
  fc.assert(fc.property(measurement, (each) => Measurement.safeParse(each).success));
});

test('judging any measurement gives finite numbers, and verdicts that the log takes', () => {
  fc.assert(
    fc.property(judging, (given) => {
      const judgement = judgementOf(given);
      expect(numbersIn(judgement).filter((value) => !Number.isFinite(value))).toEqual([]);
      expect(numbersIn(summarise(given.candidate)).every(Number.isFinite)).toBe(true);
      for (const verdict of [...judgement.targets, ...judgement.guards]) Verdict.parse(verdict);
      expect(judgement.weighted).toBeGreaterThanOrEqual(0);
      expect(judgement.weighted).toBeLessThanOrEqual(1);
      expect(judgement.needed).toBeGreaterThanOrEqual(0);
      expect(judgement.reason).not.toMatch(/NaN|Infinity|undefined|null/);
    }),
    RUNS,
  );
});

test('the state of a verdict agrees with its margin', () => {
  fc.assert(
    fc.property(judging, (given) => {
      const { targets, guards } = judgementOf(given);
      for (const { state, margin, value, reason, op: how } of [...targets, ...guards]) {
        expect(margin === null).toBe(state === 'unknown');
        expect(reason === null).toBe(state !== 'unknown');
        if (margin === null) continue;
        expect(value).not.toBeNull();
        const isStrict = how === 'gt' || how === 'lt';
        expect(state === 'met').toBe(isStrict ? margin > 0 : margin >= 0);
      }
    }),
    RUNS,
  );
});

test('judging is the same after the log stored it and reordered its keys', () => {
  fc.assert(
    fc.property(judging, (given) => {
      const stored = JSON.parse(JSON.stringify(reordered(given))) as Judging;
      expect(judgementOf(stored)).toEqual(judgementOf(given));
      expect(judgementOf(given)).toEqual(judgementOf(given));
    }),
    RUNS,
  );
});

test('only what beats the best, and loses nothing, is kept', () => {
  fc.assert(
    fc.property(judging, (given) => {
      const { base, best } = given;
      const { isKept, guards, gain, needed, targets } = judgementOf(given);
      if (!isKept || !base) return;
      expect(guards.every(({ state }) => state === 'met')).toBe(true);
      expect(gain).toBeGreaterThan(needed);
      const before = judgementOf({ ...given, candidate: best ?? base }).targets;
      expect(before.every(({ state }, index) => state !== 'met' || targets[index]?.state === 'met')).toBe(true);
    }),
    RUNS,
  );
});

test('what is unknown is never met', () => {
  fc.assert(
    fc.property(judging, (given) => {
      const { targets, isMet, weighted } = judgementOf(given);
      const absent = targets.filter(({ value }) => value === null);
      expect(absent.every(({ state }) => state === 'unknown')).toBe(true);
      if (targets.every(({ state }) => state === 'unknown')) expect([isMet, weighted]).toEqual([false, 0]);
      if (targets.some(({ state }) => state === 'unknown') && given.objective.stopWhen === 'all')
        expect(isMet).toBe(false);
    }),
    RUNS,
  );
});

test('a lucky spike inside the noise is never kept', () => {
  const value = fc.oneof(
    fc.double({ min: -10, max: 10, noNaN: true }),
    fc.double({ min: -1e300, max: 1e300, noNaN: true }),
    fc.double({ min: -1e-300, max: 1e-300, noNaN: true }),
    fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10),
  );
  const values = fc.array(value, { minLength: 2, maxLength: 5 });
  const share = fc.oneof(fc.constant(1), fc.double({ min: -3, max: 1, noNaN: true }));
  const better = fc.constantFrom('higher' as const, 'lower' as const);
  fc.assert(
    fc.property(values, share, better, (seen, part, wanted) => {
      const base = summarise(seen.map((each) => measured({ sharpe: each })));
      const wish = readObjective({
        targets: [{ metric: 'sharpe', op: 'gte', value: 1.5 }],
        primary: { metric: 'sharpe', better: wanted },
      });
      const { sharpe: mean = 0 } = base.metrics;
      const spike = part * 2 * (base.deviations.sharpe ?? 0) * (wanted === 'higher' ? 1 : -1);
      const candidate = summarise([measured({ sharpe: mean + spike })]);
      expect(judge(wish, { base, best: base, candidate }).isKept).toBe(false);
    }),
    RUNS,
  );
});

const iteration = fc.record({
  status: fc.constantFrom('valid' as const, 'valid' as const, 'invalid' as const, 'tampered' as const),
  isKept: fc.boolean(),
  startedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z', ''),
  endedAt: fc.constantFrom('2026-01-01T00:10:00.000Z', '2026-01-02T00:00:00.000Z', ''),
});
const facts: fc.Arbitrary<StopFacts> = fc.record({
  tampered: fc.array(fc.string(), { maxLength: 2 }),
  isMet: fc.boolean(),
  holdout: fc.constantFrom('closed' as const, 'met' as const, 'missed' as const),
  iterations: fc.array(iteration, { maxLength: 12 }),
});
interface Limits {
  maxIterations: number;
  patience: number;
  maxInvalid: number;
  maxWallMs: number | null;
}
const limits: fc.Arbitrary<Limits> = fc.record({
  maxIterations: fc.integer({ min: 1, max: 15 }),
  patience: fc.integer({ min: 1, max: 6 }),
  maxInvalid: fc.integer({ min: 1, max: 6 }),
  maxWallMs: fc.option(fc.constantFrom(1000, 3_600_000)),
});
const withLimits = ({ maxIterations, patience, maxInvalid, maxWallMs }: Limits): Objective =>
  readObjective({
    targets: [{ metric: 'sharpe', op: 'gte', value: 1.5 }],
    stop: { maxIterations, plateau: { patience }, maxInvalid, ...(maxWallMs === null ? {} : { maxWallMs }) },
  });

test('stopping is total, and always says why', () => {
  fc.assert(
    fc.property(limits, facts, (given, seen) => {
      const stop = stopNext(withLimits(given), seen);
      expect(stopNext(withLimits(given), seen)).toEqual(stop);
      if (stop && stop.reason !== 'tampered') expect(stop.detail).toMatch(/^(?!.*(NaN|undefined)).+/);
    }),
    RUNS,
  );
});

test('one more crash never turns going on into a plateau', () => {
  fc.assert(
    fc.property(limits, facts, (given, seen) => {
      const wish = withLimits(given);
      if (stopNext(wish, seen) !== null) return;
      const last = { status: 'invalid' as const, isKept: false, startedAt: '', endedAt: '' };
      const next = stopNext(wish, { ...seen, iterations: [...seen.iterations, last] });
      expect(next?.reason).not.toBe('plateau');
    }),
    RUNS,
  );
});

test('a loop that never meets its objective ends at the latest with its last iteration', () => {
  fc.assert(
    fc.property(limits, fc.array(iteration, { minLength: 15, maxLength: 15 }), (given, iterations) => {
      const open = { tampered: [], isMet: false, holdout: 'closed' as const };
      const end = iterations.findIndex(
        (_, index) => stopNext(withLimits(given), { ...open, iterations: iterations.slice(0, index + 1) }) !== null,
      );
      expect(end).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThan(given.maxIterations);
    }),
    RUNS,
  );
});
