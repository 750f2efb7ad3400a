import type { ApprovalDecisionAction, ApprovalState } from '../../../schemas/enums.ts';
import { type Step, step } from './machine.ts';

const row = (from: ApprovalState, trigger: string, to: ApprovalState): Step<ApprovalState> => ({
  from,
  trigger,
  to,
});

/**
 * The states of a gate. The abort of its run, or a newer gate that replaces it, closes a gate without a decision. The answer
 * in the pane closes an agent's gate, and the return of a host closes the gate about it.
 */
export const APPROVAL_STEPS: readonly Step<ApprovalState>[] = [
  row('pending', 'approve', 'approved'),
  row('pending', 'reject', 'rejected'),
  row('pending', 'request_changes', 'changes_requested'),
  row('pending', 'abort', 'aborted'),
  row('pending', 'supersede', 'aborted'),
  row('pending', 'timeout', 'paused'),
  row('paused', 'unpause', 'pending'),
  row('paused', 'abortRun', 'aborted'),
];

const OUTCOME: Record<ApprovalDecisionAction, ApprovalState> = {
  approve: 'approved',
  reject: 'rejected',
  request_changes: 'changes_requested',
  abort: 'aborted',
};

/** The state of a pending gate after a decision. */
export function decided(from: ApprovalState, action: ApprovalDecisionAction): ApprovalState {
  return stepApproval(from, OUTCOME[action]);
}

/** The next approval state, or `internal_state_corruption`. */
export function stepApproval(from: ApprovalState, to: ApprovalState): ApprovalState {
  return step('approval', APPROVAL_STEPS, from, to);
}
