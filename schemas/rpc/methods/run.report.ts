import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { RunRef } from '../views/refs.ts';

export const runReport = defineMethod({
  name: 'run.report',
  summary: 'Read the report of a run; for an open run, the report as of now',
  params: z.strictObject({ runId: RunRef }),
  result: z.object({
    runId: z.string(),
    markdown: z.string(),
    json: z.record(z.string(), z.unknown()),
    /** Null until the files are written. */
    paths: z.object({ markdown: z.string(), json: z.string() }).nullable(),
  }),
  answeredBy: { hostOf: 'runId', elsewhere: 'askOrAnswer' },
  changes: 'nothing',
  caller: 'reader',
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id'],
});
