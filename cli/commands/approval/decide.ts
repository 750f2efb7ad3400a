import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import { gateWords } from '../../../schemas/gates/gateWords.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { ABORT_DETAIL, GATE_STATES, REJECT_DETAIL } from '../../../schemas/states/gate.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import type { Client } from '../../client/connect.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Approval } from '../../define/approval.ts';
import { confirmEnd, DECLINED } from '../../input/confirm.ts';
import type { Io } from '../../io/io.ts';
import { paintState, printJson } from '../../print/output.ts';
import { shortId } from '../../print/text.ts';

/** `approval approve`, `reject` and `abort`. */
export const action: Approval['reject'] = async (params, { json, yes }, io, name) => {
  const { approvalId } = params;
  return withDaemon(io, async (client) => {
    const isEnd = name === 'reject' || name === 'abort';
    if (isEnd && !(await confirmDecision(io, client, { approvalId, name, yes }))) return DECLINED;
    const decided = name.replace('-', '_') as ApprovalDecisionAction;
    const decision = await client.call('approval.decide', { ...params, action: decided });
    printDecision(io, decision, json);
    return 0;
  });
};

export function printDecision(io: Io, decision: RpcResult<'approval.decide'>, json: boolean | undefined): void {
  if (json) {
    printJson(io, decision);
    return;
  }
  const now = decision.created ? 'is now' : 'was already';
  const word = paintState(io, stateOf(GATE_STATES, decision.state));
  io.out(`The state of approval ${shortId(decision.approvalId)} ${now} ${word}.\n`);
}

/** Asks before a decision that ends the run. */
async function confirmDecision(
  io: Io,
  client: Client,
  { approvalId, name, yes }: { approvalId: string; name: 'reject' | 'abort'; yes: boolean | undefined },
): Promise<boolean> {
  const gate = await client.call('approval.get', { approvalId });
  // The daemon says why a decided gate cannot be decided again. Rejecting a cleanup gate ends nothing.
  if (gate.actions.length === 0 || gateWords(gate).keep) return true;
  const run = shortId(gate.runId);
  if (name === 'abort') return confirmEnd(io, { question: `Abort the run ${run}?`, detail: ABORT_DETAIL, yes });
  const detail = gate.consequences?.reject ?? REJECT_DETAIL;
  return confirmEnd(io, { question: `Reject ${gate.gateKey} of run ${run}?`, detail, yes });
}
