import type { Objective } from '../../../../schemas/objective/objective.ts';
import { finite } from './evaluate.ts';
import { own, type Summary } from './values.ts';

/** How the primary metric changed. */
export interface Gain {
  /** In the direction that is wanted; null if a value is unknown. */
  gain: number | null;
  /** What the gain must exceed. */
  needed: number;
  isEnough: boolean;
  /** What is needed comes from the noise of the base. */
  isNoise: boolean;
  from: number | undefined;
  to: number | undefined;
}

interface Compared {
  /** Its repeats show the noise. */
  base: Summary;
  /** What the candidate must beat. */
  before: Summary;
  candidate: Summary;
}

/** How far the last digits of a mean and a difference can be off, as a share of the values. */
const ERROR = 32 * Number.EPSILON;

/** The gain of the candidate over what it must beat, and whether that is more than noise. Pure. */
export function gainOver({ primary, targets, stop }: Objective, { base, before, candidate }: Compared): Gain {
  const { metric, better } = primary;
  const from = own(before.metrics, metric);
  const to = own(candidate.metrics, metric);
  const noise = stop.plateau.noise * (own(base.deviations, metric) ?? 0);
  const needed = finite(Math.max(stop.plateau.minDelta, noise));
  const facts = { needed, isNoise: noise > stop.plateau.minDelta, from, to };
  if (from === undefined || to === undefined) return { ...facts, gain: null, isEnough: false };
  const exact = targets.find((target) => target.metric === metric && target.op === 'eq');
  const change = exact ? closer(from, to, exact.value) : finite(better === 'higher' ? to - from : from - to);
  const error = ERROR * Math.max(Math.abs(from), Math.abs(to), Math.abs(exact?.value ?? 0));
  // What equals the needed gain must not exceed it by the error of a subtraction.
  const gain = Math.abs(change - needed) <= error ? needed : change;
  return { ...facts, gain, isEnough: gain > needed };
}

/** How much less it is away from the target. */
function closer(from: number, to: number, target: number): number {
  return finite(finite(Math.abs(from - target)) - finite(Math.abs(to - target)));
}
