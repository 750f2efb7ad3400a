import { printApproval } from '../gates.ts';
import type { Action } from '../io.ts';
import { printJson } from '../output.ts';
import { withDaemon } from '../withDaemon.ts';

export const action: Action = async ([approvalId]: [string], { json }: { json?: boolean }, io) => {
  const approval = await withDaemon(io, (client) => client.call('approval.get', { approvalId }));
  if (json) printJson(io, approval);
  else printApproval(io, approval);
  return 0;
};
