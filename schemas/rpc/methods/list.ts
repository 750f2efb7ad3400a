import { z } from 'zod';
import { ApprovalState, RunState, ShownSessionState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { RunRef } from '../views/refs.ts';

export const listCount = defineMethod({
  name: 'list.count',
  summary: 'Count the entries of a list without its limit',
  params: z.strictObject({
    of: z.enum(['runs', 'approvals', 'sessions']),
    runId: RunRef.optional(),
    state: z.union([RunState, ApprovalState, ShownSessionState]).optional(),
    all: z.boolean().default(false).describe('for approvals: include decided gates'),
  }),
  result: z.object({ total: z.number().int() }),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['of', 'runId', 'state', 'all'],
  errors: ['not_found', 'ambiguous_id'],
});
