import type { Verdict } from '../../../schemas/objective/measured.ts';
import { type Guard, type Objective, type Op, type Target, WEIGHTED } from '../../../schemas/objective/objective.ts';
import { numberText } from '../../../schemas/objective/words.ts';
import { own, type Summary, whyAbsent } from './values.ts';

/** Two numbers are equal within this. */
const EQUAL = 1e-9;

/** Compares each target, or guard, with the measured values. Pure and total. */
export function evaluate(comparisons: readonly (Target | Guard)[], values: Summary): Verdict[] {
  return comparisons.filter((each) => !isWithoutMeaning(each, values)).map((each) => verdictOf(each, values));
}

/** The default guard on trades says nothing about a bundle size. */
function isWithoutMeaning(comparison: Target | Guard, { metrics, absent }: Summary): boolean {
  const isDefault = 'isDefault' in comparison && comparison.isDefault;
  return isDefault && !Object.hasOwn(metrics, comparison.metric) && !Object.hasOwn(absent, comparison.metric);
}

function verdictOf(comparison: Target | Guard, values: Summary): Verdict {
  const { metric, op, value: target } = comparison;
  const weight = 'weight' in comparison ? comparison.weight : 1;
  const value = own(values.metrics, metric);
  const unknown = (reason: string): Verdict => ({
    metric,
    op,
    target,
    weight,
    value: value ?? null,
    margin: null,
    state: 'unknown',
    reason,
  });
  if (value === undefined) return unknown(whyAbsent(values, metric));
  const off = Math.max(0, own(values.rounded, metric) ?? 0);
  const isMet = meetsWithin(op, { low: value - off, high: value + off }, target);
  if (isMet === undefined) return unknown(`rounded to ${numberText(finite(off * 2))}: it cannot decide`);
  return {
    metric,
    op,
    target,
    weight,
    value,
    margin: marginOf(op, value, target),
    state: isMet ? 'met' : 'missed',
    reason: null,
  };
}

/** True if every value of the range meets the target, false if none does; undefined if some do. */
function meetsWithin(op: Op, { low, high }: { low: number; high: number }, target: number): boolean | undefined {
  const [atLow, atHigh] = [meets(op, low, target), meets(op, high, target)];
  if (atLow !== atHigh) return undefined;
  // Neither end need equal a target that lies between them.
  const isBetween = op === 'eq' && low < target && target < high;
  return isBetween && !atLow ? undefined : atLow;
}

function meets(op: Op, value: number, target: number): boolean {
  switch (op) {
    case 'gte':
      return value >= target;
    case 'gt':
      return value > target;
    case 'lte':
      return value <= target;
    case 'lt':
      return value < target;
    case 'eq':
      return Math.abs(value - target) <= EQUAL;
    default:
      return op satisfies never;
  }
}

/** The distance beyond the target; negative if it is missed, and never above 0 for `eq`. */
function marginOf(op: Op, value: number, target: number): number {
  if (op === 'gte' || op === 'gt') return finite(value - target);
  if (op === 'lte' || op === 'lt') return finite(target - value);
  const distance = finite(Math.abs(value - target));
  return distance <= EQUAL ? 0 : -distance;
}

/** The log has no Infinity. */
export function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

/** The met part of the weight. An unknown verdict keeps its weight. */
export function weightOf(verdicts: readonly Verdict[]): number {
  // As shares of the largest one: their sum is finite.
  const largest = Math.max(0, ...verdicts.map(({ weight }) => weight));
  if (largest === 0) return 0;
  const total = verdicts.reduce((sum, { weight }) => sum + weight / largest, 0);
  const met = verdicts.reduce((sum, { weight, state }) => sum + (state === 'met' ? weight / largest : 0), 0);
  return met / total;
}

export function isMet({ stopWhen }: Pick<Objective, 'stopWhen'>, verdicts: readonly Verdict[]): boolean {
  if (verdicts.length === 0) return false;
  if (stopWhen === 'all') return verdicts.every(({ state }) => state === 'met');
  return weightOf(verdicts) >= WEIGHTED - EQUAL;
}
