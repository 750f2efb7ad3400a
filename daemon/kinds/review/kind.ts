import type { KindRules } from '../../core/phases/kindRules.ts';
import { hasBranch, laneOf } from '../../core/run/lanes.ts';
import { isDue, nextGate } from '../../core/run/query.ts';
import { reviewDecided } from './decided.ts';
import { deriveReview, isReviewDone } from './derive.ts';
import { reviewEffects } from './effects.ts';
import { evolveRound, reviewFolds } from './evolve.ts';
import { reviewOutcomes } from './outcomes.ts';
import { reviewRehearsal } from './rehearsal.ts';
import { reviewRequest } from './requests.ts';

/** Reviewers look at the change, a verifier checks what they found, and the implementer fixes it, until it passes. */
export const reviewRules: KindRules<'review'> = {
  // The facts about the change stay: another attempt goes on from there.
  begin(_, { assignments, review }, { cause, changeRequest }) {
    const { rounds = [], findings = [], changeRequest: before = null } = review ?? {};
    const wanted = cause === 'changes_requested' ? changeRequest : before;
    return { assignments, review: { rounds, findings, changeRequest: wanted } };
  },
  isEmpty: () => false,
  isAtGate: (run, phase) => nextGate(run, phase) !== undefined && isReviewDone(run, phase),
  derive: deriveReview,
  effects: reviewEffects,
  // Agents that only read need no set-up.
  worksIn(run, { assignments }) {
    const lanes = new Set(assignments.filter(isDue).map(({ laneId }) => laneId));
    return [...lanes].filter((laneId) => hasBranch(laneOf(run, laneId)));
  },
  request: reviewRequest,
  outcomes: reviewOutcomes,
  folds: reviewFolds,
  evolveRound,
  rehearsal: reviewRehearsal,
  decided: reviewDecided,
};
