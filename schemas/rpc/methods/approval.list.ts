import { z } from 'zod';
import { ApprovalState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { ApprovalSummary } from '../views/approval.ts';
import { Limit, RunRef } from '../views/refs.ts';

export const approvalList = defineMethod({
  name: 'approval.list',
  summary: 'List gates, newest first',
  params: z.strictObject({
    runId: RunRef.optional(),
    state: ApprovalState.optional(),
    limit: Limit.default(100),
  }),
  result: z.array(ApprovalSummary),
  paramNames: ['runId', 'state', 'limit'],
  errors: ['not_found', 'ambiguous_id'],
});
