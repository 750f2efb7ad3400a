import type { ApprovalDecisionAction, ApprovalState, GateKind } from '../../../schemas/enums.ts';

/** What a person answered at a gate. */
export interface Decision {
  id: string;
  action: ApprovalDecisionAction;
  comment: string | null;
  clientToken: string;
  decidedAt: string;
}

/** A gate, from its question to its answer. */
export interface Approval {
  id: string;
  key: string;
  gateKey: string;
  kind: GateKind;
  /** Empty for a gate that belongs to no phase. */
  phaseId: string;
  phaseKey: string;
  /** The assignment that the gate is about; null if it is about the phase or a lane. */
  assignment: string | null;
  /** The lane that the gate is about; null if it is about the phase. */
  laneId: string | null;
  attempt: number;
  artifactHash: string | null;
  subject: Record<string, unknown>;
  state: ApprovalState;
  timeoutMs: number | null;
  createdAt: string;
  /** When the gate last became pending; its time-out counts from here. */
  pendingSince: string;
  resolvedAt: string | null;
  decision: Decision | null;
}
