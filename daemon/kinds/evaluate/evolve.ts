import type { KindEventType } from '../../../schemas/events/index.ts';
import type { Folds } from '../../core/phases/kindRules.ts';
import type { Evaluation } from '../../core/run/evaluation.ts';
import { patchNewest } from '../../core/run/patch.ts';
import type { Run } from '../../core/run/state.ts';

/** Folds the measurements, and the judgements about them. */
export const evaluateFolds: Folds<KindEventType<'evaluate'>> = {
  'backtest.iteration_started'(run, { phaseId, ts, payload }) {
    const { iterationId: id, ...facts } = payload;
    const begun = { ...facts, id, phaseId: phaseId ?? '', startedAt: ts, endedAt: null };
    return { ...run, evaluations: [...run.evaluations, { ...begun, measurements: [], result: null, judgement: null }] };
  },
  'backtest.measured'(run, { payload: { iterationId, ...measured } }) {
    return patch(run, iterationId, ({ measurements }) => ({ measurements: [...measurements, measured] }));
  },
  'backtest.iteration_completed': (run, { payload: { iterationId, ...result } }) =>
    patch(run, iterationId, () => ({ result })),
  'backtest.objective_evaluated': (run, { ts, payload: { iterationId, ...judgement } }) =>
    patch(run, iterationId, () => ({ judgement, endedAt: ts })),
};

function patch(run: Run, id: string, change: (evaluation: Evaluation) => Partial<Evaluation>): Run {
  return { ...run, evaluations: patchNewest(run.evaluations, (each) => each.id === id, change) };
}
