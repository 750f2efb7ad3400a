import type { EffectOf } from '../../core/effect/effect.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import type { ReviewPhase } from './reviewOf.ts';
import type { Review } from './state.ts';

export const reviewRehearsal: KindRules<'review'>['rehearsal'] = {
  possible: {
    prepareReview: ({ phaseId, round, nth, from, assignments }) => [
      {
        outcome: {
          type: 'reviewPrepared',
          phaseId,
          round,
          nth,
          changedLines: 12,
          fixed: from === null ? [] : [{ path: 'a', from: null, isDeleted: false, hunks: [[1, 1, 1, 1]] }],
          witnesses: Object.fromEntries(assignments.map((key) => [key, [{ path: 'a', lines: [1] }]])),
        },
        words: `devflow prepares round ${round} of the review`,
      },
    ],
  },
  // The rounds and the findings have what agents wrote.
  atWork: (_, { review }) => (review ? reviewed(review) : []),
  ended: ({ review }) => (review ? [String(review.rounds.length)] : []),
  secondedAnswer,
};

/** The answer of the first reviewer of this look: in a rehearsal the others say the same. Undefined for the first. */
function secondedAnswer({ review: state }: ReviewPhase, { review }: EffectOf<'awaitArtifact'>): number | undefined {
  const round = state?.rounds.at(-1);
  const [first] = round?.look?.batches ?? [];
  if (review?.what !== 'look' || !first || !round) return undefined;
  const isReported = state?.findings.some(({ reporters }) => reporters.some((each) => each.round === round.round));
  return isReported || first.prior.some(({ verdict }) => verdict === 'present') ? 1 : 0;
}

/** The progress of a review. Which commits it was about does not matter. */
function reviewed({ rounds, findings, changeRequest }: Review): string[] {
  return [
    String(changeRequest !== null),
    ...rounds.map((round) =>
      round.outcome === null
        ? [
            round.reason,
            round.changeRequest !== null,
            round.look?.batches.map(({ prior }) => prior.map(({ verdict }) => verdict)),
            ...round.asks.map(({ what, isDone }) => `${what} ${isDone}`),
            ...round.checked.map(({ what, results }) => `${what} ${results.map(({ exitCode }) => exitCode)}`),
          ].join(' ')
        : `${round.reason} ${round.outcome} ${round.asks.length}`,
    ),
    ...findings.map(({ state, reporters, cameBackIn, resolutions }) =>
      [
        state,
        cameBackIn,
        reporters.map(({ round }) => round),
        resolutions.map(({ status, round }) => `${status} ${round}`),
      ].join(' '),
    ),
  ];
}
