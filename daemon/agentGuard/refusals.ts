import type { RefusedDecision } from '../../schemas/rpc/views/approval.ts';

/** Keeps at most this many refused decisions per gate. */
const KEPT = 20;

/** The decisions of agents, all refused. Kept in memory: after a restart, only devflow's own log has them. */
export interface Refusals {
  note(approvalId: string, decision: RefusedDecision): void;
  /** The newest at this gate. */
  at(approvalId: string): RefusedDecision[];
}

export function createRefusals(): Refusals {
  const refused = new Map<string, RefusedDecision[]>();
  return {
    note(approvalId, decision) {
      refused.set(approvalId, [...(refused.get(approvalId) ?? []), decision].slice(-KEPT));
    },
    at: (approvalId) => refused.get(approvalId) ?? [],
  };
}
