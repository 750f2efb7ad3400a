import type { Measurement } from '../../../schemas/objective/measured.ts';
import { newestCommit, type Possible, WORK } from '../../core/effect/possible.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';

function measurement(score: number | null): Measurement {
  const fault = score === null ? 'the command failed' : null;
  const nothing = { rounded: {}, absent: {}, seed: null, data: {}, mined: null, equity: null };
  return { ...nothing, metrics: score === null ? {} : { score }, fault, failure: fault };
}

export const evaluationRehearsal: KindRules<'evaluate'>['rehearsal'] = {
  possible: {
    inspectEvaluation({ phaseId, attempt }, run) {
      const commit = newestCommit(run);
      const seen = { commit, tree: `tree of ${commit}`, protectedHash: 'protected', touched: [] };
      return [
        { outcome: { type: 'evaluationInspected', phaseId, attempt, ...seen }, words: 'devflow reads what to measure' },
      ];
    },
    readMeasurement: ({ phaseId, commandId, ended }) =>
      (ended.ok ? [2, 1] : [null]).map(
        (score): Possible => ({
          outcome: {
            type: 'measured',
            phaseId,
            commandId,
            measurement: measurement(score),
            protectedHash: 'protected',
          },
          words:
            score === null ? 'nothing is measured' : score === 2 ? 'the targets are met' : 'the targets are missed',
        }),
      ),
    restoreBest: ({ phaseId, attempt, since, best }) => [
      {
        outcome: {
          type: 'workCommitted',
          phaseId,
          attempt,
          work:
            since === best
              ? { commit: null, files: 0, insertions: 0, deletions: 0 }
              : { commit: `back to ${best}`, ...WORK },
        },
        words: 'devflow brings the best state back',
      },
    ],
  },
  atWork: () => [],
  ended: () => [],
};
