import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { LoggedText, RunRef } from '../views/refs.ts';
import { RunMoved } from '../views/run.ts';

export const runResume = defineMethod({
  name: 'run.resume',
  summary: 'Resume a paused run',
  params: z.strictObject({ runId: RunRef, reason: LoggedText.optional() }),
  result: RunMoved,
  changes: 'something',
  caller: 'person',
  paramNames: ['runId', 'reason'],
  errors: ['not_found', 'ambiguous_id', 'state_conflict', 'gate_pending'],
});
