import type { ApprovalDecisionAction, ApprovalState, RunState } from './enums.ts';
import { consequencesOf } from './laneGates.ts';
import { isTerminal } from './terminalStates.ts';

/** Whether the gate blocks its run. Agent gates do not: a person answers them in the pane. */
export function blocksRun({ kind }: { kind: string }): boolean {
  return kind !== 'agent';
}

interface Gate {
  gateKey: string;
  kind: string;
  assignment: string | null;
  state: ApprovalState;
}

/** What a person may decide at a gate now. */
export function decidable(gate: Gate, runState: RunState): ApprovalDecisionAction[] {
  const { kind, state } = gate;
  if (state !== 'pending') return [];
  // Other work of the run may go on while a gate waits.
  if (kind === 'gate' && (runState === 'paused' || isTerminal(runState))) return [];
  if (kind === 'agent') return ['reject', 'abort'];
  if (kind === 'cleanup') return ['approve', 'reject'];
  const isRefused = consequencesOf(gate)?.request_changes === null;
  return isRefused ? ['approve', 'reject', 'abort'] : ['approve', 'reject', 'request_changes', 'abort'];
}
