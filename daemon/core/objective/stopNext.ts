import type { EvaluationStatus, StopReason } from '../../../schemas/objective/measured.ts';
import type { Objective } from '../../../schemas/objective/objective.ts';
import { numberText } from '../../../schemas/objective/words.ts';
import { counted } from '../../../schemas/text/phrases.ts';

export interface StopFacts {
  /** Why the present iteration is void. */
  tampered: readonly string[];
  /** True if it meets the targets, on the judged part. */
  isMet: boolean;
  /** `spent`: an earlier iteration opened it, so this one was not measured there. */
  holdout: 'closed' | 'met' | 'missed' | 'spent';
  /** The unmet targets of the best state, in sentences. */
  missing?: readonly string[];
  /** Since the beginning, or since a person granted more, the present one last. The base is not among them. */
  iterations: readonly { status: EvaluationStatus; isKept: boolean; startedAt: string; endedAt: string }[];
}

export interface Stop {
  reason: StopReason;
  /** For a person, without a full stop. */
  detail: string;
}

/** The first reason that holds for ending the loop. Null if the loop goes on. Pure and total. */
export function stopNext(objective: Objective, facts: StopFacts): Stop | null {
  const { tampered, isMet, holdout } = facts;
  if (tampered.length > 0) return { reason: 'tampered', detail: tampered.join('; ') };
  const isHeld = holdout === 'met' || !objective.splits.holdout;
  if (isMet && isHeld) return { reason: 'met', detail: 'the objective is met' };
  const [first] = facts.iterations;
  if (!first) return null;
  if (isMet && holdout === 'missed') {
    return { reason: 'holdout', detail: 'the targets are met on the judged part and missed on the holdout' };
  }
  if (isMet && holdout === 'spent') return { reason: 'holdout', detail: SPENT };
  const stop = budget(objective, facts, first) ?? invalid(objective, facts) ?? plateau(objective, facts);
  return stop ? { ...stop, detail: `${stop.detail}${missingText(facts.missing)}` } : null;
}

const SPENT =
  'the targets are met on the judged part; an earlier iteration opened the holdout, and only you can have it opened again';

const SHOWN = 3;

function missingText(missing: readonly string[] = []): string {
  if (missing.length === 0) return '';
  const rest = missing.length - SHOWN;
  const more = rest > 0 ? `; and ${counted(rest, 'more target')}` : '';
  return `; in the best state, ${missing.slice(0, SHOWN).join('; ')}${more}`;
}

function budget(
  { stop }: Objective,
  { iterations }: StopFacts,
  first: StopFacts['iterations'][number],
): Stop | undefined {
  const { maxIterations, maxWallMs } = stop;
  if (iterations.length >= maxIterations) {
    return { reason: 'budget', detail: `${counted(iterations.length, 'iteration')} did not meet the objective` };
  }
  const took = Date.parse(iterations.at(-1)?.endedAt ?? first.endedAt) - Date.parse(first.startedAt);
  if (maxWallMs === null || Number.isNaN(took) || took < maxWallMs) return undefined;
  return { reason: 'budget', detail: `the iterations took ${seconds(took)}, and ${seconds(maxWallMs)} are allowed` };
}

function seconds(ms: number): string {
  return `${numberText(ms / 1000)} s`;
}

/** In a row: one valid iteration shows that measuring still works. */
function invalid({ stop }: Objective, { iterations }: StopFacts): Stop | undefined {
  const row = iterations.length - 1 - iterations.findLastIndex(({ status }) => status === 'valid');
  if (row < stop.maxInvalid) return undefined;
  return { reason: 'invalid', detail: `the last ${counted(row, 'iteration')} could not be measured` };
}

/** Invalid iterations neither count nor end the row. */
function plateau({ stop }: Objective, { iterations }: StopFacts): Stop | undefined {
  const valid = iterations.filter(({ status }) => status === 'valid');
  const row = valid.length - 1 - valid.findLastIndex(({ isKept }) => isKept);
  if (row < stop.plateau.patience) return undefined;
  return { reason: 'plateau', detail: `${counted(row, 'valid iteration')} in a row brought no gain` };
}
