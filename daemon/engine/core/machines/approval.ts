import type { ApprovalDecisionAction, ApprovalState } from '../../../../schemas/enums.ts';
import { step, type Transition } from './machine.ts';

const row = (from: ApprovalState, trigger: string, to: ApprovalState, source = '14.1'): Transition<ApprovalState> => ({
  from,
  trigger,
  to,
  source,
});

/** Plan 14.1. A run that is aborted takes its open gate with it, without a decision row (13.1), and so does a newer
 * cleanup gate for the same worktree (16.2). */
export const APPROVAL_TRANSITIONS: readonly Transition<ApprovalState>[] = [
  row('pending', 'approve', 'approved'),
  row('pending', 'reject', 'rejected'),
  row('pending', 'request_changes', 'changes_requested'),
  row('pending', 'abort', 'aborted'),
  row('pending', 'supersede', 'aborted', '16.2'),
  row('pending', 'timeout', 'paused'),
  row('paused', 'unpause', 'pending'),
  row('paused', 'abortRun', 'aborted', '13.1'),
];

const OUTCOME: Record<ApprovalDecisionAction, ApprovalState> = {
  approve: 'approved',
  reject: 'rejected',
  request_changes: 'changes_requested',
  abort: 'aborted',
};

/** What a decision makes of a pending request. */
export function decided(from: ApprovalState, action: ApprovalDecisionAction): ApprovalState {
  return stepApproval(from, OUTCOME[action]);
}

/** The next approval state, or `internal_state_corruption`. */
export function stepApproval(from: ApprovalState, to: ApprovalState): ApprovalState {
  return step('approval', APPROVAL_TRANSITIONS, from, to);
}
