import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { ApprovalDetail } from '../views/approval.ts';
import { ApprovalRef } from '../views/refs.ts';

export const approvalGet = defineMethod({
  name: 'approval.get',
  summary: 'Show a gate with everything under decision',
  params: z.strictObject({ approvalId: ApprovalRef }),
  result: ApprovalDetail,
  answeredBy: { hostOf: 'approvalId', elsewhere: 'askOrAnswer' },
  changes: 'nothing',
  caller: 'reader',
  paramNames: ['approvalId'],
  errors: ['not_found', 'ambiguous_id'],
});
