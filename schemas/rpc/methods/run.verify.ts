import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { RunRef } from '../views/refs.ts';

export const runVerify = defineMethod({
  name: 'run.verify',
  summary: 'Prove that the rows and branches of a run are as its replayed events say',
  params: z.strictObject({ runId: RunRef }),
  result: z.object({
    runId: z.string(),
    ok: z.boolean(),
    differences: z.array(z.object({ path: z.string(), replayed: z.unknown(), stored: z.unknown() })),
  }),
  answeredBy: { hostOf: 'runId', elsewhere: 'askOrAnswer' },
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id'],
});
