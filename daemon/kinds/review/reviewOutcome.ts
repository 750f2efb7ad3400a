import { isReviewTemplate } from '../../../schemas/definitions/template.ts';
import type { RunOutcome } from '../../../schemas/rpc/views/outcome.ts';
import type { ReviewSummary } from '../../../schemas/rpc/views/reviews.ts';
import { phasesOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { failedChecks } from './checks.ts';
import { findingViews } from './findingViews.ts';
import type { ReviewPhase } from './reviewOf.ts';
import { isRehearsal, verdictFrom } from './reviewSummaries.ts';

/** The facts of a completed run of reviews alone, from its log or from its rows. */
export interface ReviewFacts {
  /** One for each phase. */
  verdicts: readonly ReviewSummary['verdict'][];
  /** Open findings, and checks that failed in the last round. */
  blockers: number;
  isRehearsal: boolean;
}

/** What the run says about the change; undefined while it is open, or if a person skipped a review. */
export function reviewOutcome(run: Run): RunOutcome | undefined {
  if (run.state !== 'completed' || !isReviewTemplate(run.template)) return undefined;
  const phases = phasesOf('review', run);
  const open = findingViews(run).filter(({ isBlocker }) => isBlocker).length;
  return outcomeFrom({
    verdicts: phases.map(({ review }) => verdictFrom(review?.rounds.at(-1)?.outcome ?? null)),
    blockers: open + phases.reduce((sum, phase) => sum + failedIn(phase), 0),
    isRehearsal: phases.some((phase) => isRehearsal(run, phase)),
  });
}

function failedIn({ review }: ReviewPhase): number {
  const last = review?.rounds.at(-1);
  return last ? failedChecks(last).length : 0;
}

export function outcomeFrom({ verdicts, blockers, isRehearsal }: ReviewFacts): RunOutcome | undefined {
  const word = wordOf(verdicts);
  return word && { word: isRehearsal ? 'rehearsal' : word, blockers };
}

function wordOf(verdicts: ReviewFacts['verdicts']): Exclude<RunOutcome['word'], 'rehearsal'> | undefined {
  if (verdicts.includes('findings')) return 'blocked';
  if (verdicts.includes('open') || verdicts.length === 0) return undefined;
  return verdicts.includes('accepted') ? 'accepted' : 'passed';
}
