import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { LoggedText, RunRef } from '../views/refs.ts';
import { RunMoved } from '../views/run.ts';

export const runAbort = defineMethod({
  name: 'run.abort',
  summary: 'Abort a run; worktrees and branches stay',
  params: z.strictObject({ runId: RunRef, reason: LoggedText.optional() }),
  result: RunMoved,
  changes: 'something',
  caller: 'person',
  paramNames: ['runId', 'reason'],
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});
