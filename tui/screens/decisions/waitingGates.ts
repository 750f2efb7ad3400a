import { blocksRun } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { PAUSED, PENDING } from '../../model/listQueries.ts';
import type { Model } from '../../model/model.ts';
import { answerOf } from '../../model/query.ts';

/** Gates to decide, and gates whose run must be resumed first; oldest first. Agents are answered in their panes. */
export function waitingGates({ data }: Model): ApprovalSummary[] {
  const waiting = [...(answerOf(data, PENDING) ?? []), ...(answerOf(data, PAUSED) ?? [])];
  const own = waiting.filter(blocksRun);
  return own.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}

let last: { readonly data: Model['data']; readonly gates: ReadonlyMap<string, readonly ApprovalSummary[]> } | undefined;

/** The gates that wait, by run. */
export function gatesByRun(model: Model): ReadonlyMap<string, readonly ApprovalSummary[]> {
  if (last?.data !== model.data)
    last = { data: model.data, gates: Map.groupBy(waitingGates(model), ({ runId }) => runId) };
  return last.gates;
}

/** The gate that waits after this one; undefined if no other waits. */
export function nextGate(model: Model, approvalId: string): ApprovalSummary | undefined {
  const gates = waitingGates(model).filter(({ id, state }) => id === approvalId || state === 'pending');
  const at = gates.findIndex(({ id }) => id === approvalId);
  const others = [...gates.slice(at + 1), ...gates.slice(0, Math.max(0, at))];
  return others[0];
}
