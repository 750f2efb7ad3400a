import type { Objective } from '../../../schemas/objective/objective.ts';
import { finite } from './evaluate.ts';
import { own, type Summary } from './values.ts';

/** The change of the primary metric. */
export interface Gain {
  /** In the direction that is wanted; null if a value is unknown. */
  gain: number | null;
  /** The gain must exceed this. */
  needed: number;
  isEnough: boolean;
  /** True if the needed gain comes from the noise of the measurements. */
  isNoise: boolean;
  from: number | undefined;
  to: number | undefined;
}

interface Compared {
  /** The candidate must beat this. */
  before: Summary;
  candidate: Summary;
}

/** The last digits of a mean and a difference can be off by this share of the values. */
const ERROR = 32 * Number.EPSILON;

/** In runs before behaviour 6: so many standard deviations of the repeats of the base. */
export function noiseOfBase({ primary, stop }: Objective, base: Summary): number {
  return stop.plateau.noise * (own(base.deviations, primary.metric) ?? 0);
}

/** The gain of the candidate over what it must beat, and whether that is more than noise. Pure. */
export function gainOver({ primary, targets, stop }: Objective, { before, candidate }: Compared, noise: number): Gain {
  const { metric, better } = primary;
  const needed = finite(Math.max(stop.plateau.minDelta, noise));
  const exact = targets.find((target) => target.metric === metric && target.op === 'eq');
  const changed = changeOf(metric, { before, candidate }, exact ? { eq: exact.value } : better, needed);
  return { needed, isNoise: noise > stop.plateau.minDelta, ...changed, isEnough: (changed.gain ?? 0) > needed };
}

/** The change of a metric in the wanted direction: higher, lower, or closer to a value. Null if a value is unknown. */
export function changeOf(
  metric: string,
  { before, candidate }: Compared,
  wanted: Objective['primary']['better'] | { eq: number },
  needed: number,
): { gain: number | null; from: number | undefined; to: number | undefined } {
  const from = own(before.metrics, metric);
  const to = own(candidate.metrics, metric);
  if (from === undefined || to === undefined) return { gain: null, from, to };
  const exact = typeof wanted === 'object' ? wanted.eq : undefined;
  const change = exact === undefined ? finite(wanted === 'higher' ? to - from : from - to) : closer(from, to, exact);
  const error = ERROR * Math.max(Math.abs(from), Math.abs(to), Math.abs(exact ?? 0));
  // A change that equals the needed one must not exceed it by the error of a subtraction.
  return { gain: Math.abs(change - needed) <= error ? needed : change, from, to };
}

/** The decrease of the distance to the target. */
function closer(from: number, to: number, target: number): number {
  return finite(finite(Math.abs(from - target)) - finite(Math.abs(to - target)));
}
