import { z } from 'zod';
import { ApprovalState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { ApprovalSummary } from '../views/approval.ts';
import { ListLimit, RunRef } from '../views/refs.ts';

export const approvalList = defineMethod({
  name: 'approval.list',
  summary: 'List gates that wait for a decision, newest first',
  params: z.strictObject({
    runId: RunRef.optional(),
    state: ApprovalState.optional(),
    all: z.boolean().default(false).describe('include decided gates; `state` filters further'),
    limit: ListLimit,
  }),
  result: z.array(ApprovalSummary),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['runId', 'state', 'limit', 'all'],
  errors: ['not_found', 'ambiguous_id'],
});
