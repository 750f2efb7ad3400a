import { reviewDecided } from '../review/decided.ts';
import { deriveReview, isReviewDone } from '../review/derive.ts';
import { reviewEffects } from '../review/effects.ts';
import { handleReview } from '../review/outcomes.ts';
import { reviewRequest } from '../review/requests.ts';
import { seatsOf } from '../review/seats.ts';
import { definitionOf, nextGate } from '../run/query.ts';
import type { PhaseKind } from './phaseKind.ts';

/** Reviewers look at the change, a verifier proves what they found, and the implementer fixes it, until it passes. */
export const reviewPhase: PhaseKind = {
  // What is known of the change stays: another attempt goes on from there.
  begin: (_, phase) => ({ assignments: phase.assignments, review: phase.review ?? { rounds: [], findings: [] } }),
  isEmpty: () => false,
  isAtGate: (run, phase) => nextGate(run, phase) !== undefined && isReviewDone(run, phase),
  derive: deriveReview,
  effects: reviewEffects,
  request: reviewRequest,
  producer(run, phase) {
    if (seatsOf(run, phase).fixer) return phase;
    const hasAgents = run.phases.findLast(
      ({ seq, key }) => seq < phase.seq && definitionOf(run, { ...phase, key }).roles.length > 0,
    );
    return hasAgents ?? phase;
  },
  handle: handleReview,
  decided: reviewDecided,
};
