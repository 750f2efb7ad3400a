import type { ReviewedGate } from '../../../schemas/comments/draft.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import type { Stream } from '../../model/screen.ts';
import { reviewedGate, takesComments } from '../approvals/comments/takesComments.ts';

const asked = screenState<{ readonly gates: readonly ReviewedGate[] }>('asked gates', { gates: [] }, () => '');

/** Remembers which gates the open question is about, so that their comments that were not sent are read. */
export function askedAbout(model: Model, gates: readonly ApprovalDetail[]): Model {
  return asked.set(model, { gates: gates.filter(takesComments).map(reviewedGate) });
}

/** While the question is open, the comments at its gates that were not sent are read. */
export function draftStreams(model: Model): Stream[] {
  if (model.overlay?.kind !== 'confirm') return [];
  return asked.get(model).gates.map((gate) => ({ type: 'review', gate }));
}

/** True if the comments at all these gates were read. */
export function areDraftsRead({ reviews }: Model, gates: readonly ApprovalDetail[]): boolean {
  return gates.every((gate) => !takesComments(gate) || reviews.has(gate.id));
}
