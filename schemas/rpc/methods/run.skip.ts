import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { LoggedText, RunRef } from '../views/refs.ts';
import { RunMoved } from '../views/run.ts';

export const runSkip = defineMethod({
  name: 'run.skip',
  summary: 'Skip a phase that the template calls optional, before it begins',
  params: z.strictObject({
    runId: RunRef,
    phase: z.string(),
    reason: LoggedText.pipe(z.string().trim().min(1).max(2_000)),
  }),
  result: RunMoved,
  changes: 'something',
  caller: 'person',
  paramNames: ['runId', 'phase', 'reason'],
  errors: ['usage', 'not_found', 'ambiguous_id', 'state_conflict'],
});
