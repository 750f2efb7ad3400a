import type { KindRules } from '../../core/phases/kindRules.ts';
import { nextGate } from '../../core/run/query.ts';
import { reviewDecided } from './decided.ts';
import { deriveReview, isReviewDone } from './derive.ts';
import { reviewEffects } from './effects.ts';
import { handleReview } from './outcomes.ts';
import { reviewRequest } from './requests.ts';
import { reviewKey } from './stateKey.ts';

/** Reviewers look at the change, a verifier checks what they found, and the implementer fixes it, until it passes. */
export const reviewRules: KindRules<'review'> = {
  // What is known of the change stays: another attempt goes on from there.
  begin(_, { assignments, review }, { cause, changeRequest }) {
    const { rounds = [], findings = [], changeRequest: before = null } = review ?? {};
    const wanted = cause === 'changes_requested' ? changeRequest : before;
    return { assignments, review: { rounds, findings, changeRequest: wanted } };
  },
  isEmpty: () => false,
  isAtGate: (run, phase) => nextGate(run, phase) !== undefined && isReviewDone(run, phase),
  derive: deriveReview,
  effects: reviewEffects,
  request: reviewRequest,
  producer: (_, phase) => phase,
  handle: handleReview,
  stateKey: reviewKey,
  decided: reviewDecided,
};
