import type { Handler } from '../ports.ts';

export const approvalDecide: Handler<'approval.decide'> = async (
  { approvalId: ref, action, clientToken, comment },
  { reads, engine },
) => {
  const { approvalId, runId } = await reads.resolveApproval(ref);
  const decision = await engine.signalApproval(runId, approvalId, action, clientToken, comment);
  return { ...decision, approvalId, runId, action };
};
