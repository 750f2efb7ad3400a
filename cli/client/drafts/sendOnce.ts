import type { ReviewedGate, Sending } from '../../../schemas/comments/draft.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Client } from '../connect.ts';
import { endSending, sendingTries } from './draftFiles.ts';

interface Ways {
  readonly client: Pick<Client, 'request'>;
  readonly stateDir: string;
}

/** Nothing was recorded. After any other error the daemon may have the decision, so the token stays. */
const REFUSED = [
  ...['usage', 'not_found', 'ambiguous_id', 'decision_conflict', 'state_conflict'],
  ...['changes_under_decision', 'artifact_changed', 'comments_misplaced', 'agent_may_not_decide'],
];

/** Sends a decision with its token, and notes what the answer says about it. */
export async function sendOnce(
  { client, stateDir }: Ways,
  gate: ReviewedGate,
  sending: Sending,
  /** What the decision is bound to; empty: to the gate alone. */
  shown = gate.shown,
): Promise<RpcResult<'approval.decide'>> {
  const { clientToken, comments } = sending;
  const params = { approvalId: gate.approvalId, action: 'request_changes' as const, comments: [...comments] };
  try {
    const bound = shown === '' ? {} : { shown };
    const result = await client.request('approval.decide', { ...params, clientToken, ...bound });
    endSending(stateDir, gate, sending, true);
    return result as RpcResult<'approval.decide'>;
  } catch (error) {
    const isRefused = error instanceof DevflowError && REFUSED.includes(error.code);
    if (isRefused) endSending(stateDir, gate, sending, false);
    throw error;
  }
}

/**
 * Asks about tries at gates that are decided by now: the daemon has one, or another decision came first. A gate that still
 * waits is left to the person, who sees the comments before they go.
 */
export async function settleDecided(ways: Ways, runId: string): Promise<void> {
  const tries = sendingTries(ways.stateDir, runId);
  if (tries.length === 0) return;
  const gates = (await ways.client.request('approval.list', { runId, all: true })) as RpcResult<'approval.list'>;
  for (const { approvalId, shown, sending } of tries) {
    const gate = gates.find(({ id }) => id === approvalId);
    if (!gate || gate.state === 'pending' || gate.state === 'paused') continue;
    // The name of the directory has only a part of the hash, so the decision is bound to none.
    await sendOnce(ways, { runId, approvalId, shown }, sending, '').catch(() => {});
  }
}
