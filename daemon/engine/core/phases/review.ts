import { reviewDecided } from '../review/decided.ts';
import { deriveReview, isReviewDone } from '../review/derive.ts';
import { reviewEffects } from '../review/effects.ts';
import { handleReview } from '../review/outcomes.ts';
import { reviewRequest } from '../review/requests.ts';
import { seatsOf } from '../review/seats.ts';
import { nextGate } from '../run/query.ts';
import { agentsBefore } from './agentsBefore.ts';
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
  producer: (run, phase) => (seatsOf(run, phase).fixer ? phase : agentsBefore(run, phase)),
  handle: handleReview,
  decided: reviewDecided,
};
