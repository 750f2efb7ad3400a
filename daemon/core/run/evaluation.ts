import type { EventPayload } from '../../../schemas/events/index.ts';

/** An attempt of a phase that measures, folded from its events. */
export interface Evaluation extends Omit<EventPayload<'backtest.iteration_started'>, 'iterationId'> {
  /** The iteration id of its events. */
  id: string;
  phaseId: string;
  startedAt: string;
  endedAt: string | null;
  /** In the order in which the commands ended. */
  measurements: Omit<EventPayload<'backtest.measured'>, 'iterationId'>[];
  /** Null until everything is measured. */
  result: Omit<EventPayload<'backtest.iteration_completed'>, 'iterationId'> | null;
  /** Null until it is judged. */
  judgement: Omit<EventPayload<'backtest.objective_evaluated'>, 'iterationId'> | null;
}
