import { randomUUID } from 'node:crypto';
import type { ApprovalDecisionAction } from '../../schemas/enums.ts';
import type { Action } from '../io.ts';
import { paintState, printJson } from '../output.ts';
import { usage } from '../parse.ts';
import { shortId } from '../text.ts';
import { withDaemon } from '../withDaemon.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Options {
  json?: boolean;
  comment?: string;
  clientToken?: string;
}

/** `approval approve`, `reject`, `request-changes` and `abort`: one token an invocation (plan 14.2). */
export const action: Action = async ([approvalId]: [string], { json, comment, clientToken }: Options, io, name) => {
  if (clientToken !== undefined && !UUID.test(clientToken)) throw usage(`--client-token ${clientToken} is not a UUID`);
  const decision = await withDaemon(io, (client) =>
    client.call('approval.decide', {
      approvalId,
      action: name.replace('-', '_') as ApprovalDecisionAction,
      clientToken: clientToken ?? randomUUID(),
      comment,
    }),
  );
  if (json) printJson(io, decision);
  else {
    const again = decision.created ? 'is' : 'was already';
    io.out(`Approval ${shortId(decision.approvalId)} ${again} ${paintState(io, decision.state)}.\n`);
  }
  return 0;
};
