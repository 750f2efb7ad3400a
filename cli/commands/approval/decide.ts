import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import { gateName, gateWords } from '../../../schemas/gates/gateWords.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { decidedSentence } from '../../../schemas/states/decidedSentence.ts';
import { ABORT_DETAIL, REJECT_DETAIL } from '../../../schemas/states/gate.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Approval } from '../../define/approval.ts';
import { confirm, confirmEnd, DECLINED } from '../../input/confirm.ts';
import { onlyGate } from '../../input/onlyOne.ts';
import { usage } from '../../input/parse.ts';
import type { Io } from '../../io/io.ts';
import { printJson } from '../../print/output.ts';
import { shortId, visible } from '../../print/text.ts';

/** `approval approve`, `reject` and `abort`. */
export const action: Approval['reject'] = async (params, { gate: given, json, yes }, io, name) => {
  return withDaemon(io, async (client) => {
    const action = name.replace('-', '_') as ApprovalDecisionAction;
    const isEnd = name === 'reject' || name === 'abort';
    const approvalId = given ?? (await onlyGate(client, action));
    if (given === undefined && isEnd && !yes) assertCanAsk(io, name, approvalId);
    const isChosen = given === undefined && !isEnd && !yes;
    // Read before: afterwards the gate no longer says what a decision leads to.
    const gate = json && !isEnd && !isChosen ? undefined : await client.call('approval.get', { approvalId });
    if (gate && isEnd && !(await confirmDecision(io, gate, { name, yes }))) return DECLINED;
    if (gate && isChosen && !(await confirmChosen(io, gate, name))) return DECLINED;
    const decision = await client.call('approval.decide', { ...params, approvalId, action });
    printDecision(io, decision, json ? undefined : gate);
    return 0;
  });
};

/** `gate`: as it was before the decision; without it, JSON. */
export function printDecision(io: Io, decision: RpcResult<'approval.decide'>, gate: ApprovalDetail | undefined): void {
  if (gate === undefined) printJson(io, decision);
  else io.out(`${visible(decidedSentence(gate, decision))}\n`);
}

/** Shows which gate a command without an id has found. It may be another one than the person has in mind. */
export function confirmChosen(io: Io, gate: ApprovalDetail, name: string): Promise<boolean> {
  const title = gate.runTitle ? `, ${gate.runTitle}` : '';
  const found = `${gateName(gate)} of run ${shortId(gate.runId)}${title}`;
  const question = name === 'approve' ? `Approve ${found}?` : `Request changes at ${found}?`;
  return confirm(io, question, unasked(name, gate.id));
}

/** A script gets no question. It must name what it ends. */
function assertCanAsk(io: Io, name: string, approvalId: string): void {
  if (io.inIsTty && io.outIsTty) return;
  const { message, hint } = unasked(name, approvalId);
  throw usage(message, hint);
}

function unasked(name: string, approvalId: string): { message: string; hint: string } {
  return {
    message: `the command names no gate to ${spokenOf(name)}, and there is no terminal to ask on`,
    hint: `Name it: devflow approval ${name} ${shortId(approvalId)}. Or confirm with --yes.`,
  };
}

const spokenOf = (name: string): string => (name === 'request-changes' ? 'send back' : name);

/** Asks before a decision that ends the run. */
async function confirmDecision(
  io: Io,
  gate: ApprovalDetail,
  { name, yes }: { name: 'reject' | 'abort'; yes: boolean | undefined },
): Promise<boolean> {
  // The daemon says why a decided gate cannot be decided again. Rejecting a cleanup gate ends nothing.
  if (gate.actions.length === 0 || gateWords(gate).keep) return true;
  const run = shortId(gate.runId);
  if (name === 'abort') return confirmEnd(io, { question: `Abort the run ${run}?`, detail: ABORT_DETAIL, yes });
  const detail = gate.consequences?.reject ?? REJECT_DETAIL;
  return confirmEnd(io, { question: `Reject ${gate.gateKey} of run ${run}?`, detail, yes });
}
