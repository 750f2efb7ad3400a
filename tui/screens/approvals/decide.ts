import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { decideWith, JUST_APPEARED, shownGateDecidableFrom, whyNotTaken } from '../decisions/decideWith.ts';
import { keepTyped } from '../decisions/typedText.ts';
import { approvalOf } from './approvalQueries.ts';

/** Why the person cannot take this decision on the shown gate now; undefined when they can. */
export function whyUndecidable(model: Model, action: ApprovalDecisionAction): string | undefined {
  const approval = approvalOf(model);
  if (!approval) return 'the gate is not loaded yet';
  const why = whyNotTaken(model, approval, action);
  return why ?? (shownGateDecidableFrom(model) === undefined ? undefined : JUST_APPEARED);
}

/**
 * The approval id stands for the gate, the attempt and the hash of the artifact. So the daemon refuses a decision about
 * anything else than what was shown.
 */
export function decide(model: Model, shown: ApprovalDetail, action: ApprovalDecisionAction, comment?: string): Step {
  const params = { approvalId: shown.id, action, ...(comment ? { comment } : {}) };
  const { then, ...rest } = decideWith(model, shown);
  const taken: typeof then = (after, result) => then(comment ? keepTyped(after, shown.id, '') : after, result);
  return step(model, { type: 'decide', params, then: taken, ...rest });
}
