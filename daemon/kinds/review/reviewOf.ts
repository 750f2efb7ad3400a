import { lastCommit } from '../../core/run/query.ts';
import type { PhaseOf, Run } from '../../core/run/state.ts';
import type { Review, ReviewAsk, ReviewRound } from './state.ts';

export type ReviewPhase = PhaseOf<'review'>;

/** The review of a phase that has begun. */
export function reviewOf({ key, review }: Pick<ReviewPhase, 'key' | 'review'>): Review {
  if (!review) throw new TypeError(`phase ${key} has no review`);
  return review;
}

/** The commit under review: the newest of the run, or what a person wants reviewed. */
export function headOfRun(run: Run): string {
  return lastCommit(run) ?? run.reviewHead ?? run.baseCommit;
}

export function fixOf({ asks }: Pick<ReviewRound, 'asks'>): ReviewAsk | undefined {
  return asks.find(({ what }) => what === 'fix');
}

/** The look that a round prepares: how often it was prepared, the commit to review, and that of the look before. */
export function nextLook(run: Run, phase: ReviewPhase, { round, look }: ReviewRound) {
  const from = lookBefore(reviewOf(phase), round)?.head ?? null;
  return { nth: look ? 2 : 1, head: look?.head ?? headOfRun(run), from };
}

/** The last look of the rounds before, whatever it looked at. */
function lookBefore({ rounds }: Review, round: number): ReviewRound['look'] {
  return rounds.findLast((each) => each.round < round && each.look !== null)?.look ?? null;
}
