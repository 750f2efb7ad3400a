import { derivedId } from '../../../schemas/ids.ts';
import { objectiveOf } from '../../core/objective/measuring.ts';
import { rowOf } from '../../core/objective/views.ts';
import type { Evaluation } from '../../core/run/evaluation.ts';
import type { TableProjection } from './tableProjection.ts';

export const evaluationRows: TableProjection<'backtest_iterations', Evaluation> = {
  parts: ({ evaluations }) => evaluations,
  row(run, evaluation) {
    const { id, phaseId, attempt, iteration, commit, tree, hypothesis, startedAt, endedAt, result, judgement } =
      evaluation;
    const before = run.evaluations.slice(0, run.evaluations.indexOf(evaluation));
    const best = before.findLast((each) => each.judgement?.isKept);
    const { metric } = objectiveOf(run).primary;
    const { value, deviation, gain, needed, targetsMet, isMet, reason, seen, stop } = rowOf(evaluation, metric, best);
    return {
      id,
      run_id: run.id,
      phase_id: phaseId,
      attempt,
      iteration,
      commit,
      tree,
      status: result?.status ?? null,
      is_kept: judgement?.isKept ?? null,
      value,
      deviation,
      gain,
      needed,
      targets_met: targetsMet,
      reason,
      stop_reason: stop?.reason ?? null,
      hypothesis,
      details: {
        metrics: result?.metrics ?? {},
        targets: judgement?.targets ?? [],
        guards: judgement?.guards ?? [],
        holdout: judgement?.holdout ?? null,
        isMet,
        seen,
        stop,
      },
      started_at: startedAt,
      ended_at: endedAt,
    };
  },
};

type Measured = Evaluation['measurements'][number];

export const measurementRows: TableProjection<'backtest_metrics', Measured> = {
  parts: ({ evaluations }) => evaluations.flatMap(({ measurements }) => measurements),
  row(run, measured) {
    const evaluation = run.evaluations.find(({ measurements }) => measurements.includes(measured));
    if (!evaluation) throw new TypeError(`measurement ${measured.commandId} is not of run ${run.id}`);
    const { commandId, part, measurement } = measured;
    const { metrics, absent, fault } = measurement;
    const id = derivedId('measurement', commandId);
    return { id, run_id: run.id, iteration_id: evaluation.id, command_id: commandId, part, metrics, absent, fault };
  },
};
