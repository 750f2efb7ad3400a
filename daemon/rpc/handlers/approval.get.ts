import type { Handler } from '../ports.ts';

export const approvalGet: Handler<'approval.get'> = async ({ approvalId }, { reads }) => {
  const resolved = await reads.resolveApproval(approvalId);
  return reads.getApproval(resolved.approvalId);
};
