import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { LoggedText, RunRef } from '../views/refs.ts';
import { RunMoved } from '../views/run.ts';

export const runReopen = defineMethod({
  name: 'run.reopen',
  summary: 'Take an abandoned lane up again, with the tasks that depend on it',
  params: z.strictObject({
    runId: RunRef,
    lane: z.string(),
    comment: LoggedText.pipe(z.string().trim().min(1).max(20_000)).optional(),
  }),
  result: RunMoved,
  changes: 'something',
  caller: 'person',
  paramNames: ['runId', 'lane', 'comment'],
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});
