import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { Limit, RunRef } from '../views/refs.ts';
import { SessionSummary } from '../views/session.ts';

export const sessionList = defineMethod({
  name: 'session.list',
  summary: 'List agent sessions, those of the newest run first',
  params: z.strictObject({
    runId: RunRef.optional(),
    limit: Limit.default(100).describe('at most so many, but all of open runs'),
  }),
  result: z.array(SessionSummary),
  paramNames: ['runId', 'limit'],
  errors: ['not_found', 'ambiguous_id'],
});
