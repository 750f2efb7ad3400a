import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { LoggedText, RunRef } from '../views/refs.ts';
import { RunMoved } from '../views/run.ts';

export const runPause = defineMethod({
  name: 'run.pause',
  summary: 'Pause a run; its gates stay open',
  params: z.strictObject({ runId: RunRef, reason: LoggedText.optional() }),
  result: RunMoved,
  changes: 'something',
  caller: 'person',
  paramNames: ['runId', 'reason'],
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});
