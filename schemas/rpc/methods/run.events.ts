import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { Limit, RunRef, Seq } from '../views/refs.ts';
import { EventView } from '../views/run.ts';

export const runEvents = defineMethod({
  name: 'run.events',
  summary: "Read a page of a run's event log; the next page starts after the last seq",
  params: z.strictObject({
    runId: RunRef,
    afterSeq: Seq.default(0),
    limit: Limit.default(500),
  }),
  result: z.array(EventView),
  changes: 'nothing',
  caller: 'reader',
  paramNames: ['runId', 'afterSeq', 'limit'],
  errors: ['not_found', 'ambiguous_id'],
});
