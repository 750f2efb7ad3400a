import type { RunEvent } from '../../../schemas/events/index.ts';
import type { Evaluation } from '../../core/run/evaluation.ts';
import { patchNewest } from '../../core/run/patch.ts';
import type { Run } from '../../core/run/state.ts';

type EvaluationEvent = Extract<RunEvent, { type: `backtest.${string}` }>;

/** What devflow measured, and how it was judged. */
export function evolveEvaluation(run: Run, event: EvaluationEvent): Run {
  switch (event.type) {
    case 'backtest.iteration_started': {
      const { iterationId: id, ...facts } = event.payload;
      const begun = { ...facts, id, phaseId: event.phaseId ?? '', startedAt: event.ts, endedAt: null };
      return {
        ...run,
        evaluations: [...run.evaluations, { ...begun, measurements: [], result: null, judgement: null }],
      };
    }
    case 'backtest.measured': {
      const { iterationId, ...measured } = event.payload;
      return patch(run, iterationId, ({ measurements }) => ({ measurements: [...measurements, measured] }));
    }
    case 'backtest.iteration_completed': {
      const { iterationId, ...result } = event.payload;
      return patch(run, iterationId, () => ({ result }));
    }
    case 'backtest.objective_evaluated': {
      const { iterationId, ...judgement } = event.payload;
      return patch(run, iterationId, () => ({ judgement, endedAt: event.ts }));
    }
    default:
      return event satisfies never;
  }
}

function patch(run: Run, id: string, change: (evaluation: Evaluation) => Partial<Evaluation>): Run {
  return { ...run, evaluations: patchNewest(run.evaluations, (each) => each.id === id, change) };
}
