import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io.ts';
import { printJson } from '../print/output.ts';
import { printApproval } from '../run/gates.ts';

export const action: Action = async ([approvalId]: [string], { json }: { json?: boolean }, io) => {
  const approval = await withDaemon(io, (client) => client.call('approval.get', { approvalId }));
  if (json) printJson(io, approval);
  else printApproval(io, approval);
  return 0;
};
