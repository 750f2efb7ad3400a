import type { KindRules } from '../../core/phases/kindRules.ts';
import type { Review } from './state.ts';

/** How far the rounds and the findings are. What agents wrote is in them. */
export const reviewKey: KindRules<'review'>['stateKey'] = {
  ended: ({ review }) => (review ? [String(review.rounds.length)] : []),
  atWork: (_, { review }) => (review ? reviewed(review) : []),
};

/** How far a review is. Which commits it was about does not matter. */
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
