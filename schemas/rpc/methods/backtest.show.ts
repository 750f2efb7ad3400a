import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { IterationDetail, IterationRow, LoopSummary } from '../views/backtest.ts';
import { RunRef } from '../views/refs.ts';

/** Iterations are numbered from 1; 0 is the state before the first change. */
export const IterationRef = z.number().int().nonnegative();

export const backtestShow = defineMethod({
  name: 'backtest.show',
  summary: 'Show what a run measured in its iterations, and one iteration whole',
  params: z.strictObject({
    runId: RunRef,
    iteration: IterationRef.optional().describe('the iteration to show whole; 0 is the base'),
  }),
  result: z.object({
    summary: LoopSummary,
    /** The objective; without the bounds of the holdout while the run is open. */
    objective: z.unknown(),
    iterations: z.array(IterationRow),
    /** Null unless an iteration was asked for. */
    detail: IterationDetail.nullable(),
    /** When the data of its equity begins and ends; null if nothing says so. */
    dates: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
  }),
  changes: 'nothing',
  caller: 'reader',
  paramNames: ['runId', 'iteration'],
  errors: ['not_found', 'ambiguous_id', 'usage'],
});
