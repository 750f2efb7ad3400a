import { z } from 'zod';
import { defineEvent, type KeyFacts } from './define.ts';

/** Declared because the list of events is closed. The backtest workflow will define the payloads. */
const Iteration = z.strictObject({ iterationId: z.string(), facts: z.record(z.string(), z.unknown()) });
const perIteration =
  (type: string) =>
  ({ payload }: KeyFacts<{ iterationId: string }>) =>
    `${type}:${payload.iterationId}`;

export const backtestEvents = [
  defineEvent('backtest.iteration_started', Iteration, perIteration('backtest.iteration_started')),
  defineEvent('backtest.iteration_completed', Iteration, perIteration('backtest.iteration_completed')),
  defineEvent('backtest.objective_evaluated', Iteration, perIteration('backtest.objective_evaluated')),
] as const;
