import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { RunRef } from '../views/refs.ts';
import { RunDetail } from '../views/run.ts';

export const runGet = defineMethod({
  name: 'run.get',
  summary: 'Show a run with its phases, bindings, gates, sessions, commands and artifacts',
  params: z.strictObject({ runId: RunRef }),
  result: RunDetail,
  changes: 'nothing',
  caller: 'reader',
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id'],
});
