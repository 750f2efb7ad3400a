import { z } from 'zod';
import { ApprovalState, RunState, ShownSessionState } from '../../enums.ts';
import { defineRead } from '../contract.ts';
import { LIST_FILTER, RunRef } from '../views/refs.ts';

export const listCount = defineRead({
  name: 'list.count',
  summary: 'Count the entries of a list without its limit',
  params: z.strictObject({
    of: z.enum(['runs', 'approvals', 'sessions']),
    runId: RunRef.optional(),
    state: z.union([RunState, ApprovalState, ShownSessionState]).optional(),
    all: z.boolean().default(false).describe('for approvals: include decided gates'),
    ...LIST_FILTER,
  }),
  result: z.object({ total: z.number().int() }),
  errors: ['not_found', 'ambiguous_id'],
});
