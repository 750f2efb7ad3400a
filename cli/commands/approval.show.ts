import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printApproval } from '../print/approval.ts';
import { printJson } from '../print/output.ts';

export const action: Action = async ([approvalId]: [string], { json }: { json?: boolean }, io) => {
  const approval = await withDaemon(io, (client) => client.call('approval.get', { approvalId }));
  if (json) printJson(io, approval);
  else printApproval(io, approval);
  return 0;
};
