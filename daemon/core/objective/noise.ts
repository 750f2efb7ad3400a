import type { Objective } from '../../../schemas/objective/objective.ts';
import { finite } from './evaluate.ts';
import { exceededBy } from './studentT.ts';
import { own, type Summary } from './values.ts';

/** A state that was measured more than once. */
export type Repeated = Pick<Summary, 'deviations' | 'count'>;

/** The state that a change is compared with, and the known noise. */
export interface Compared {
  /** The candidate must beat this. */
  before: Summary;
  candidate: Summary;
  /** Other states of the run that were measured more than once, `before` among them. */
  repeated: readonly Repeated[];
  /** The number of measurements of a candidate before it is kept. */
  looks: number;
}

/** The chance that a loop in which nothing changes keeps a change at all. */
export const FALSE_KEEP = 0.05;

/**
 * Counts the ways to keep a change: the primary metric, and each target or guard that it holds. Each is a chance for an
 * accident.
 */
function testsOf({ primary, targets, guards }: Objective): number {
  const own = guards.filter(({ isDefault }) => !isDefault);
  return new Set([primary, ...targets, ...own].map(({ metric }) => metric)).size;
}

/**
 * The change of the metric that noise can explain; a larger one is real. This is a t test against the pooled noise of the
 * run, corrected for all iterations and metrics. Planned repeats count as done, so early and final looks share one threshold.
 * `sides`: 2 if both directions count as better. Pure.
 */
export function neededFor(
  objective: Objective,
  metric: string,
  { before, candidate, repeated, looks }: Compared,
  sides: 1 | 2 = 1,
): number {
  const { maxIterations, plateau } = objective.stop;
  const { deviation, freedom } = pooled(metric, [...repeated, candidate]);
  if (plateau.noise === 0 || deviation === 0) return 0;
  const planned = Math.max(looks, candidate.count);
  // A change may make its own result noisier than the others.
  const noisier = Math.max(deviation, own(candidate.deviations, metric) ?? 0);
  const error = Math.hypot(deviation / Math.sqrt(before.count), noisier / Math.sqrt(planned));
  const chance = FALSE_KEEP / (maxIterations * testsOf(objective) * sides);
  const accident = exceededBy(chance, freedom + planned - candidate.count) * error;
  return finite(Math.max(plateau.noise * deviation, accident));
}

/** The standard deviation of all repeats together, each around the mean of its own state. */
function pooled(metric: string, states: readonly Repeated[]): { deviation: number; freedom: number } {
  const parts = states.flatMap(({ deviations, count }) => {
    const deviation = own(deviations, metric);
    return deviation === undefined || count < 2 ? [] : [{ deviation, freedom: count - 1 }];
  });
  const largest = Math.max(0, ...parts.map(({ deviation }) => deviation));
  const freedom = parts.reduce((sum, each) => sum + each.freedom, 0);
  if (largest === 0) return { deviation: 0, freedom };
  // As shares of the largest one: their squares are finite.
  const squares = parts.reduce((sum, each) => sum + (each.deviation / largest) ** 2 * each.freedom, 0);
  return { deviation: finite(largest * Math.sqrt(squares / freedom)), freedom };
}
