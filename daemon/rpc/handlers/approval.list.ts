import type { Handler } from '../ports.ts';

export const approvalList: Handler<'approval.list'> = async ({ runId, state, all, limit }, { reads }) => {
  const run = runId === undefined ? undefined : await reads.resolveRun(runId);
  return reads.listApprovals({ runId: run, state, all, limit: limit || undefined });
};
