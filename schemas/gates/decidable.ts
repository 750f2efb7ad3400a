import type { ApprovalDecisionAction, ApprovalState, GateKind, RunState } from '../enums.ts';
import { isTerminal } from '../names.ts';
import { gateFacts, holdsResult } from './gateKinds.ts';
import { consequencesOf } from './ownGates.ts';

interface Gate {
  gateKey: string;
  kind: GateKind;
  laneId: string | null;
  assignment: string | null;
  state: ApprovalState;
  subject?: Readonly<Record<string, unknown>>;
}

/** The possible decisions at a gate now. */
export function decidable(gate: Gate, runState: RunState): ApprovalDecisionAction[] {
  if (gate.state !== 'pending') return [];
  // Other work of the run may go on while a gate waits.
  if (holdsResult(gate) && (runState === 'paused' || isTerminal(runState))) return [];
  const consequences = consequencesOf(gate);
  const isTaken = (action: ApprovalDecisionAction) => action === 'abort' || consequences?.[action] !== null;
  return gateFacts(gate).takes.filter(isTaken);
}
