import type { ReviewSummary } from '../../../schemas/rpc/views/reviews.ts';
import { phasesOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { headOfRun, type ReviewPhase } from './reviewOf.ts';
import { rolesOf } from './reviewRoles.ts';
import type { ReviewRound } from './state.ts';

/** The result of each review of a run, as programs see it. */
export function reviewSummaries(run: Run): ReviewSummary[] {
  return phasesOf('review', run).flatMap((phase) => (phase.review ? [summaryOf(run, phase, phase.review.rounds)] : []));
}

function summaryOf(run: Run, phase: ReviewPhase, rounds: readonly ReviewRound[]): ReviewSummary {
  const { reviewers, verifiers } = rolesOf(run, phase);
  const look = rounds.findLast((round) => round.look !== null)?.look;
  return {
    phaseKey: phase.key,
    verdict: verdictOf(rounds.at(-1)),
    base: look?.base ?? run.baseCommit,
    head: look?.head ?? headOfRun(run),
    backends: [...reviewers, ...verifiers].map(({ roleId, backend }) => ({ roleId, backend })),
    commands: rounds.flatMap(({ round, checked }) =>
      checked.flatMap(({ results }) =>
        results.map(({ argv, exitCode, reason, findingId }) => ({ round, argv, exitCode, reason, findingId })),
      ),
    ),
  };
}

function verdictOf(last: ReviewRound | undefined): ReviewSummary['verdict'] {
  const outcome = last?.outcome ?? 'again';
  return outcome === 'again' ? 'open' : outcome;
}
