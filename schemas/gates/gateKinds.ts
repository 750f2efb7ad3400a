import type { ApprovalDecisionAction, ApprovalState, GateKind, RunState } from '../enums.ts';
import { isTerminal } from '../terminalStates.ts';
import { consequencesOf } from './ownGates.ts';

/** Whether the gate blocks its run. Agent gates do not: a person answers them in the pane. */
export function blocksRun({ kind }: { kind: GateKind }): boolean {
  return kind !== 'agent';
}

interface Gate {
  gateKey: string;
  kind: GateKind;
  laneId: string | null;
  assignment: string | null;
  state: ApprovalState;
  subject?: Readonly<Record<string, unknown>>;
}

/** What a person may decide at a gate now. */
export function decidable(gate: Gate, runState: RunState): ApprovalDecisionAction[] {
  const { kind, state } = gate;
  if (state !== 'pending') return [];
  // Other work of the run may go on while a gate waits.
  if (kind === 'gate' && (runState === 'paused' || isTerminal(runState))) return [];
  if (kind === 'agent') return ['reject', 'abort'];
  if (kind === 'cleanup') return ['approve', 'reject'];
  const consequences = consequencesOf(gate);
  const isTaken = (action: ApprovalDecisionAction) => action === 'abort' || consequences?.[action] !== null;
  return (['approve', 'reject', 'request_changes', 'abort'] as const).filter(isTaken);
}
