import { DevflowError } from '../../../schemas/errors.ts';
import type { Handler } from '../ports.ts';

export const approvalDecide: Handler<'approval.decide'> = async (
  { approvalId: ref, action, clientToken, comment },
  { reads, engine },
) => {
  const { approvalId, runId } = await reads.resolveApproval(ref);
  if (action === 'request_changes' && !comment?.trim()) {
    throw new DevflowError('usage', `approval ${approvalId}: the agent must be told what to change`, {
      runId,
      recoveryHint: 'Request changes with a comment.',
    });
  }
  const decision = await engine.signalApproval(runId, approvalId, action, clientToken, comment);
  return { ...decision, approvalId, runId, action };
};
