import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { gateWords } from '../../../schemas/gates/gateWords.ts';
import { HOST_GATE } from '../../../schemas/gates/ownGates.ts';
import { gateState } from '../../../schemas/states/gate.ts';
import type { Approval, Run } from '../run/state.ts';

/** Refuses a decision at a gate that is not open any more. */
export function tooLate(
  run: Run,
  approval: Approval,
  asked: ApprovalDecisionAction,
  clientToken: string,
): DevflowError {
  const { decision } = approval;
  const sameToken = decision?.clientToken === clientToken;
  const how =
    approval.state === 'aborted' && !decision
      ? withdrawn(run, approval)
      : decision && ` (${decision.action} at ${decision.decidedAt})`;
  const message = sameToken
    ? `This client token already decided approval ${approval.id} with ${decision.action}, not with ${asked}.`
    : `The state of approval ${approval.id} is ${gateState(approval).word}${how ?? ''}.`;
  const data = { approvalRequestId: approval.id, state: approval.state, decision };
  return new DevflowError('decision_conflict', message, { data });
}

/** The gate that opened in place of another. */
export function gateAfter({ approvals }: Run, approvalRequestId: string): Approval | undefined {
  return approvals.find(
    ({ subject }) => Array.isArray(subject.supersedes) && subject.supersedes.includes(approvalRequestId),
  );
}

/** Why a gate closed without a decision. */
function withdrawn(run: Run, { id, kind, gateKey, resolvedAt }: Approval): string {
  const { closed } = gateWords({ kind });
  if (closed !== null) return `: ${closed}`;
  const next = gateAfter(run, id);
  if (next) return `: gate ${next.id.slice(0, 8)} replaced it`;
  if (gateKey === HOST_GATE && resolvedAt !== run.endedAt) return ': the host takes work again';
  if (resolvedAt !== run.endedAt) return ': its phase began again';
  return run.state === 'failed' ? ': the run failed' : ': the run was aborted';
}
