import type { Verdict } from '../../../../schemas/objective/measured.ts';
import type { Objective } from '../../../../schemas/objective/objective.ts';
import { numberText, numberTexts, targetSentence } from '../../../../schemas/objective/words.ts';
import { evaluate, isMet, weightOf } from './evaluate.ts';
import { type Gain, gainOver } from './gain.ts';
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
  /** What the gain must exceed. */
  needed: number;
  /** Why it is kept, or not: a sentence without its full stop. */
  reason: string;
}

interface Compared {
  /** The state before the first change; null if it is the candidate. */
  base: Summary | null;
  /** What the candidate must beat; null: the base. */
  best: Summary | null;
  candidate: Summary;
}

/** Compares a state with the best one before it. Pure and total. */
export function judge(objective: Objective, { base, best, candidate }: Compared): Judgement {
  const targets = evaluate(objective.targets, candidate);
  const guards = evaluate(objective.guards, candidate);
  const { metric } = objective.primary;
  const seen = {
    targets,
    guards,
    weighted: weightOf(targets),
    isMet: isMet(objective, targets) && guards.every(holds),
  };
  const value = own(candidate.metrics, metric);
  if (!base) {
    const reason =
      value === undefined ? unknownPrimary(metric, candidate) : `the base has ${metric} ${numberText(value)}`;
    return { ...seen, isKept: value !== undefined, gain: null, needed: 0, reason };
  }
  const before = best ?? base;
  const gain = gainOver(objective, { base, before, candidate });
  const { needed } = gain;
  const against =
    (value === undefined ? unknownPrimary(metric, candidate) : undefined) ??
    guardFault(guards) ??
    gainFault(metric, gain) ??
    lostTarget(targets, evaluate(objective.targets, before));
  const isKept = against === undefined;
  return { ...seen, isKept, gain: gain.gain, needed, reason: against ?? gained(metric, gain) };
}

function holds({ state }: Verdict): boolean {
  return state === 'met';
}

function unknownPrimary(metric: string, values: Summary): string {
  return `${metric} is unknown: ${whyAbsent(values, metric)}`;
}

function guardFault(guards: readonly Verdict[]): string | undefined {
  const failed = guards.find((guard) => !holds(guard));
  return failed && `a guard does not hold: ${targetSentence(failed)}`;
}

function gained(metric: string, { gain, needed }: Gain): string {
  const [seen, least] = numberTexts(gain ?? 0, needed);
  return `${metric} gains ${seen}, and more than ${least} was needed`;
}

function gainFault(metric: string, { gain, needed, isEnough, isNoise, from, to }: Gain): string | undefined {
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

function lostTarget(targets: readonly Verdict[], before: readonly Verdict[]): string | undefined {
  const lost = targets.find((target, index) => before[index]?.state === 'met' && !holds(target));
  return lost && `the best iteration met a target that is lost: ${targetSentence(lost)}`;
}
