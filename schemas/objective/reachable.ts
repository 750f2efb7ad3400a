import type { Op } from './objective.ts';
import { kindOfMetric } from './units.ts';
import { comparisonText } from './words.ts';

/** A condition on a value. */
export interface Limit {
  metric: string;
  op: Op;
  value: number;
}

/** True if some value of the metric keeps all limits. Pure. */
export function isReachable(metric: string, limits: readonly Limit[]): boolean {
  return haveCommonValue([...limits, ...natural(metric)]);
}

/** The limits as a person reads them. */
export function boundsText(metric: string, limits: readonly Limit[]): string {
  const texts = limits.map((limit) => comparisonText(limit).slice(limit.metric.length + 1));
  const [low, high] = natural(metric);
  if (haveCommonValue(limits) && high) return `${texts.join(' and ')}: it is from ${low?.value} to ${high.value}`;
  return texts.join(' and ');
}

function haveCommonValue(limits: readonly Limit[]): boolean {
  return pointsOf(limits.map(({ value }) => value)).some((point) => limits.every((limit) => keeps(limit, point)));
}

/** The bounds of every share. */
function natural(metric: string): Limit[] {
  if (kindOfMetric(metric) !== 'share') return [];
  return [
    { metric, op: 'gte', value: 0 },
    { metric, op: 'lte', value: 1 },
  ];
}

/** One value of each range in which all limits give the same answer. */
function pointsOf(values: readonly number[]): number[] {
  const sorted = [...new Set(values)].sort((a, b) => a - b);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  const between = sorted.slice(1).map((value, index) => value / 2 + (sorted[index] ?? 0) / 2);
  return [first - Math.max(1, Math.abs(first)), ...sorted, ...between, last + Math.max(1, Math.abs(last))];
}

function keeps({ op, value }: Limit, point: number): boolean {
  if (op === 'eq') return point === value;
  if (op === 'gte' || op === 'gt') return op === 'gt' ? point > value : point >= value;
  return op === 'lt' ? point < value : point <= value;
}
