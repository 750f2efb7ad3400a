import { defined } from '../../../schemas/defined.ts';
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
    verdict: verdictFrom(rounds.at(-1)?.outcome ?? null),
    base: look?.base ?? run.baseCommit,
    head: look?.head ?? headOfRun(run),
    backends: [...reviewers, ...verifiers].map(({ roleId, backend }) => ({ roleId, backend })),
    ...defined({ rehearsal: isRehearsal(run, phase) || undefined }),
    commands: rounds.flatMap(({ round, checked }) =>
      checked.flatMap(({ results }) =>
        results.map(({ argv, exitCode, reason, findingId }) => ({ round, argv, exitCode, reason, findingId })),
      ),
    ),
  };
}

/** True if `fake` reviews or verifies: what it says is scripted. */
export function isRehearsal(run: Run, phase: ReviewPhase): boolean {
  const { reviewers, verifiers } = rolesOf(run, phase);
  return [...reviewers, ...verifiers].some(({ backend }) => backend === 'fake');
}

/** `outcome`: of the newest round; null while it goes on, and before the first. */
export function verdictFrom(outcome: ReviewRound['outcome']): ReviewSummary['verdict'] {
  return outcome === null || outcome === 'again' ? 'open' : outcome;
}
