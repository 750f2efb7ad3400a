import { z } from 'zod';
import { ShownSessionState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { ListLimit, RunRef } from '../views/refs.ts';
import { SessionSummary } from '../views/session.ts';

export const sessionList = defineMethod({
  name: 'session.list',
  summary: 'List agent sessions, those of the newest run first',
  params: z.strictObject({
    runId: RunRef.optional(),
    state: ShownSessionState.optional(),
    limit: ListLimit,
  }),
  result: z.array(SessionSummary),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['runId', 'limit', 'state'],
  errors: ['not_found', 'ambiguous_id'],
});
