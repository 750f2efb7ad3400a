import type { Verdict } from '../../../schemas/objective/measured.ts';
import type { Objective, Op } from '../../../schemas/objective/objective.ts';
import { numberText } from '../../../schemas/objective/words.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { evaluate, isMet, weightOf } from './evaluate.ts';
import { changeOf, type Gain, gainOver } from './gain.ts';
import { gained, gainFault, holds, type Judgement, judgeBase, lostTarget, seenIn, unfitReason } from './judge.ts';
import { type Compared, neededFor, type Repeated } from './noise.ts';
import type { Summary } from './values.ts';

export interface Rivals {
  /** The candidate must beat this; null if it is the state before the first change. */
  before: Summary | null;
  candidate: Summary;
  /** Other states of the run that were measured more than once, `before` among them. */
  repeated: readonly Repeated[];
}

/** The share of what is needed that the first look must show: with less, more looks hardly reach it. */
const PROMISING = 0.5;

/**
 * Compares a state with the best one before it. Guards outrank targets: more met targets outrank the primary metric; with as many,
 * the primary metric decides. Nothing counts that can be an accident. Pure and total.
 */
export function rank(objective: Objective, rivals: Rivals): Judgement {
  return compare(objective, rivals, 1);
}

/**
 * True if the candidate must be measured again first: it was not measured often enough, and looks better so far. Pure
 * and total.
 */
export function looksBetter(objective: Objective, rivals: Rivals): boolean {
  return rivals.candidate.count < looksOf(objective) && compare(objective, rivals, PROMISING).isKept;
}

/** The number of measurements of a change before it is kept. */
export function looksOf({ repeat }: Objective): number {
  return 1 + repeat.confirm;
}

function compare(objective: Objective, { before, candidate, repeated }: Rivals, share: number): Judgement {
  if (!before) return judgeBase(objective, candidate);
  const compared = { before, candidate, repeated, looks: looksOf(objective) };
  const seen = seenIn(objective, candidate);
  const gain = gainIn(objective, compared, share);
  const judged = { ...seen, gain: gain.gain, needed: gain.needed };
  const unfit = unfitReason(objective, candidate, seen.guards);
  if (unfit !== undefined) return { ...judged, isKept: false, reason: unfit };
  return { ...judged, ...outcomeOf(objective, compared, { ...seen, gain, share }) };
}

interface Seen extends Pick<Judgement, 'targets' | 'guards'> {
  gain: Gain;
  share: number;
}

type Outcome = Pick<Judgement, 'isKept' | 'reason' | 'isMet'>;

/** The outcome for a candidate whose guards hold. */
function outcomeOf(objective: Objective, compared: Compared, { targets, guards, gain, share }: Seen): Outcome {
  const { before } = compared;
  const [targetsBefore, guardsBefore] = [evaluate(objective.targets, before), evaluate(objective.guards, before)];
  const newly = changes(objective, compared, { now: targets, past: targetsBefore, share });
  const held = changes(objective, compared, { now: guards, past: guardsBefore, share });
  const accident = newly.find(({ isAccident }) => isAccident);
  const sure = targets.map((verdict, index) =>
    newly.some((each) => each.index === index && each.isAccident) ? { ...verdict, state: 'missed' as const } : verdict,
  );
  const kept = { isKept: true, isMet: isMet(objective, sure) && guards.every(holds) };
  const [guard] = held.filter(({ isAccident }) => !isAccident);
  if (guard) return { ...kept, reason: `a guard holds that the best iteration did not hold: ${guard.text}` };
  const more = standing(objective, sure) - standing(objective, targetsBefore);
  if (more > STANDING_ERROR) return { ...kept, reason: metMore(sure, targetsBefore) };
  const against = lostTarget(sure, targetsBefore) ?? gainFault(objective, gain);
  if (against === undefined) return { ...kept, reason: gained(objective, gain) };
  return { ...kept, isKept: false, reason: accident ? `${accident.text}; ${against}` : against };
}

/** The tolerated error: a floating-point sum depends on the order of its weights. */
const STANDING_ERROR = 1e-9;

/** The progress of a state towards the objective, whatever its primary metric. */
function standing({ stopWhen }: Objective, targets: readonly Verdict[]): number {
  return stopWhen === 'all' ? targets.filter(holds).length : weightOf(targets);
}

function metMore(now: readonly Verdict[], past: readonly Verdict[]): string {
  const open = now.filter((each) => !holds(each)).length;
  const before = past.filter((each) => !holds(each)).length;
  const was = `the best iteration missed ${before}`;
  return open === 0 ? `it meets every target, and ${was}` : `it misses ${counted(open, 'target')}, and ${was}`;
}

interface Comparisons {
  now: readonly Verdict[];
  past: readonly Verdict[];
  share: number;
}

interface Newly {
  index: number;
  /** The metric moved no more than noise does. */
  isAccident: boolean;
  text: string;
}

/** The targets, or guards, that the candidate meets and the best before did not. */
function changes(objective: Objective, compared: Compared, { now, past, share }: Comparisons): Newly[] {
  return now.flatMap((verdict, index) => {
    const { metric, op, target } = verdict;
    const was = past.find((each) => each.metric === metric && each.op === op && each.target === target);
    if (!holds(verdict) || !was || holds(was)) return [];
    const needed = share * neededFor(objective, metric, compared, op === 'eq' ? 2 : 1);
    const { gain } = changeOf(metric, compared, wantedBy(op, target), needed);
    // A value that was unknown before has no noise.
    const isAccident = gain !== null && gain <= needed && needed > 0;
    const moved = `${metric} moved by ${numberText(gain ?? 0)}, and more than ${numberText(needed)} is needed`;
    const text = isAccident
      ? `${moved} to meet its target by no accident`
      : `${metric} is ${numberText(verdict.value ?? 0)}`;
    return [{ index, isAccident, text }];
  });
}

function wantedBy(op: Op, value: number): 'higher' | 'lower' | { eq: number } {
  if (op === 'eq') return { eq: value };
  return op === 'gte' || op === 'gt' ? 'higher' : 'lower';
}

function gainIn(objective: Objective, compared: Compared, share: number): Gain {
  const { metric } = objective.primary;
  const isExact = objective.targets.some((target) => target.metric === metric && target.op === 'eq');
  return gainOver(objective, compared, share * neededFor(objective, metric, compared, isExact ? 2 : 1));
}
