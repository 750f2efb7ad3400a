import { z } from 'zod';
import { ApprovalDecisionAction, ApprovalState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { ApprovalRef, LoggedText } from '../views/refs.ts';

/** One token for one act of a person. Retries repeat the token. */
export const approvalDecide = defineMethod({
  name: 'approval.decide',
  summary: 'Decide a gate; the same token again answers with the same decision',
  params: z.strictObject({
    approvalId: ApprovalRef,
    action: ApprovalDecisionAction,
    clientToken: z.uuid(),
    comment: LoggedText.optional(),
  }),
  result: z.object({
    decisionId: z.string(),
    /** False if this token made the same decision before. */
    created: z.boolean(),
    approvalId: z.string(),
    runId: z.string(),
    action: ApprovalDecisionAction,
    state: ApprovalState,
  }),
  answeredBy: { hostOf: 'approvalId', elsewhere: 'askOrAnswer' },
  changes: 'something',
  caller: 'person',
  paramNames: ['approvalId', 'action', 'clientToken', 'comment'],
  errors: [
    'not_found',
    'ambiguous_id',
    'decision_conflict',
    'state_conflict',
    'changes_under_decision',
    'artifact_changed',
  ],
});
