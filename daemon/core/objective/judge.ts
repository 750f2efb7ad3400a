import type { Verdict } from '../../../schemas/objective/measured.ts';
import type { Objective } from '../../../schemas/objective/objective.ts';
import { numberText, numberTexts, targetSentence } from '../../../schemas/objective/words.ts';
import { evaluate, isMet, weightOf } from './evaluate.ts';
import { type Gain, gainOver, noiseOfBase } from './gain.ts';
import { own, type Summary, whyAbsent } from './values.ts';

export interface Judgement {
  targets: Verdict[];
  guards: Verdict[];
  weighted: number;
  /** On the judged part alone: the targets, and all guards. */
  isMet: boolean;
  /** Later iterations build on it. */
  isKept: boolean;
  /** Over the best before, in the direction that is wanted; null if it is unknown. */
  gain: number | null;
  /** The gain must exceed this. */
  needed: number;
  /** Why it is kept, or not: a sentence without its full stop. */
  reason: string;
}

interface Compared {
  /** The state before the first change; null if it is the candidate. */
  base: Summary | null;
  /** The candidate must beat this; null: the base. */
  best: Summary | null;
  candidate: Summary;
}

/** Compares a state with the best one before it, as runs before behaviour 6 do. Pure and total. */
export function judge(objective: Objective, { base, best, candidate }: Compared): Judgement {
  if (!base) return judgeBase(objective, candidate);
  const before = best ?? base;
  const gain = gainOver(objective, { before, candidate }, noiseOfBase(objective, base));
  const seen = seenIn(objective, candidate);
  const against =
    unfitReason(objective, candidate, seen.guards) ??
    gainFault(objective, gain) ??
    lostTarget(seen.targets, evaluate(objective.targets, before));
  return {
    ...seen,
    isKept: against === undefined,
    gain: gain.gain,
    needed: gain.needed,
    reason: against ?? gained(objective, gain),
  };
}

/** The state before the first change is kept if it can be compared. */
export function judgeBase(objective: Objective, base: Summary): Judgement {
  const { metric } = objective.primary;
  const value = own(base.metrics, metric);
  const reason = value === undefined ? unknownPrimary(metric, base) : `the base has ${metric} ${numberText(value)}`;
  return { ...seenIn(objective, base), isKept: value !== undefined, gain: null, needed: 0, reason };
}

/** Compares a state with the objective, whatever came before it. */
export function seenIn(
  objective: Objective,
  candidate: Summary,
): Pick<Judgement, 'targets' | 'guards' | 'weighted' | 'isMet'> {
  const targets = evaluate(objective.targets, candidate);
  const guards = evaluate(objective.guards, candidate);
  return { targets, guards, weighted: weightOf(targets), isMet: isMet(objective, targets) && guards.every(holds) };
}

export function holds({ state }: Verdict): boolean {
  return state === 'met';
}

/** Why a state is not kept, whatever came before it; undefined if nothing speaks against it. */
export function unfitReason(
  { primary: { metric } }: Objective,
  candidate: Summary,
  guards: readonly Verdict[],
): string | undefined {
  if (own(candidate.metrics, metric) === undefined) return unknownPrimary(metric, candidate);
  const failed = guards.find((guard) => !holds(guard));
  return failed && `a guard does not hold: ${targetSentence(failed)}`;
}

export function unknownPrimary(metric: string, values: Summary): string {
  return `${metric} is unknown: ${whyAbsent(values, metric)}`;
}

export function gained({ primary: { metric } }: Objective, { gain, needed }: Gain): string {
  const [seen, least] = numberTexts(gain ?? 0, needed);
  return `${metric} gains ${seen}, and more than ${least} was needed`;
}

export function gainFault({ primary: { metric } }: Objective, change: Gain): string | undefined {
  const { gain, needed, isEnough, isNoise, from, to } = change;
  if (gain === null) return `${metric} of the best iteration is unknown`;
  if (isEnough) return undefined;
  const [was, is] = numberTexts(from ?? 0, to ?? 0);
  if (gain === 0)
    return from === to ? `${metric} is the same: ${is}` : `${metric} is no better: it was ${was} and is ${is}`;
  if (gain < 0) return `${metric} is worse by ${numberText(-gain)}: it was ${was} and is ${is}`;
  const [seen, least] = numberTexts(gain, needed);
  if (isNoise) return `${metric} gains ${seen}, and more than ${least} is needed to be no accident`;
  return `${metric} gains ${seen}, and the objective asks for more than ${least}`;
}

export function lostTarget(targets: readonly Verdict[], before: readonly Verdict[]): string | undefined {
  const lost = targets.find((target, index) => before[index]?.state === 'met' && !holds(target));
  return lost && `the best iteration met a target that is lost: ${targetSentence(lost)}`;
}
