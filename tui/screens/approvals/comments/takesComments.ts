import { type Draft, type Review, type ReviewedGate, shownName } from '../../../../schemas/comments/draft.ts';
import type { ApprovalDetail } from '../../../../schemas/rpc/views/approval.ts';
import { sheetOf } from '../../../../schemas/sheet/sheetOf.ts';
import type { Model } from '../../../model/model.ts';

/** True at a gate from which an agent gets comments now. */
export function takesComments({ takesComments: isTaken, actions }: ApprovalDetail): boolean {
  return isTaken === true && actions.includes('request_changes');
}

export function reviewedGate(approval: ApprovalDetail): ReviewedGate {
  const { id, runId, shown } = approval;
  return { runId, approvalId: id, shown: shown ?? sheetOf(approval).shown };
}

const NOTHING: readonly Draft[] = [];
const own = new WeakMap<Review, { shown: string; drafts: readonly Draft[] }>();

/** The drafts of what the gate shows now. The same list for the same review. */
export function draftsOf(model: Model, approval: ApprovalDetail): readonly Draft[] {
  const review = model.reviews.get(approval.id);
  if (!review) return NOTHING;
  const shown = shownName(reviewedGate(approval));
  const known = own.get(review);
  if (known?.shown === shown) return known.drafts;
  const drafts = review.drafts.filter((each) => each.approvalId === approval.id && each.shown === shown);
  own.set(review, { shown, drafts });
  return drafts;
}
