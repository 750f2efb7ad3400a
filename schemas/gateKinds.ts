import type { ApprovalDecisionAction, ApprovalState, RunState } from './enums.ts';

/** Whether the gate blocks its run. Agent gates do not: a person answers them in the pane. */
export function blocksRun({ kind }: { kind: string }): boolean {
  return kind !== 'agent';
}

/** What a person may decide at a gate now. */
export function decidable(
  { kind, state }: { kind: string; state: ApprovalState },
  runState: RunState,
): ApprovalDecisionAction[] {
  if (state !== 'pending') return [];
  if (kind === 'gate' && runState !== 'awaiting_approval') return [];
  if (kind === 'agent') return ['reject', 'abort'];
  return kind === 'cleanup' ? ['approve', 'reject'] : ['approve', 'reject', 'request_changes', 'abort'];
}
