import type { Handler } from '../ports.ts';

export const approvalGet: Handler<'approval.get'> = async ({ approvalId: ref }, { reads, agents }) => {
  const { approvalId } = await reads.resolveApproval(ref);
  const refused = agents?.refusedAt(approvalId) ?? [];
  const approval = await reads.getApproval(approvalId);
  return refused.length > 0 ? { ...approval, refused } : approval;
};
