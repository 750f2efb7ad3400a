import type { ApprovalDecisionAction, ApprovalState, GateKind } from '../../../schemas/enums.ts';

/** What a person answered at a gate. */
export interface Decision {
  id: string;
  action: ApprovalDecisionAction;
  comment: string | null;
  clientToken: string;
  decidedAt: string;
  /** The person's rule that decided, and its conditions. Absent: the person did. */
  by?: { rule: string; met: string[] };
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
  /** Why the person's rules did not pass it. Absent: none was checked, or one passed it. */
  rule?: { why: string[] };
}

/** What a gate shows, as far as rules ask. A performer reads it. */
export interface RuleFacts {
  /** The sentences of the page that make a person look twice. */
  alarms: string[];
  /** Open questions of the documents under decision; null: no document has a list of them. */
  questions: number | null;
  /** The commands that checked the commit that the gate shows, and those that ran elsewhere: at other commits, in lanes. */
  checks: { green: number; red: number; elsewhere: number };
  /** The newest review up to the gate; null: there is none. `elsewhere`: it is of another commit. */
  review: { verdict: string; elsewhere: boolean } | null;
  /** Lines that the change adds and removes, and files that changed by more than lines. */
  change: { lines: number; binaries: number };
}
