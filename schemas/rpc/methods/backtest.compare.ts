import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { DiffView } from '../views/approval.ts';
import { IterationDetail } from '../views/backtest.ts';
import { RunRef } from '../views/refs.ts';
import { IterationRef } from './backtest.show.ts';

export const backtestCompare = defineMethod({
  name: 'backtest.compare',
  summary: 'Compare two iterations of a run: what was measured, and what differs in the code',
  params: z.strictObject({
    runId: RunRef,
    a: IterationRef.optional().describe('absent: the base, 0'),
    b: IterationRef.optional().describe('absent: the best iteration'),
  }),
  result: z.object({
    runId: z.string(),
    a: IterationDetail,
    b: IterationDetail,
    /** From the commit of a to the commit of b. Null if a commit is gone. */
    diff: DiffView.nullable(),
  }),
  answeredBy: { hostOf: 'runId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'reader',
  paramNames: ['runId', 'a', 'b'],
  errors: ['not_found', 'ambiguous_id', 'usage', 'git_failed'],
});
