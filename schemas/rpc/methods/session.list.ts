import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { RunRef } from '../views/refs.ts';
import { SessionSummary } from '../views/session.ts';

export const sessionList = defineMethod({
  name: 'session.list',
  summary: 'List agent sessions',
  params: z.strictObject({ runId: RunRef.optional() }),
  result: z.array(SessionSummary),
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id'],
});
