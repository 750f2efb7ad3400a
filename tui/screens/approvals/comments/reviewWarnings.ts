import type { ApprovalDetail } from '../../../../schemas/rpc/views/approval.ts';
import { counted } from '../../../../schemas/text/phrases.ts';
import type { Model } from '../../../model/model.ts';
import { earlierWords } from './shownDrafts.ts';

/** What a person must know of the files of a review, a sentence each. */
export function reviewWarnings(model: Model, gate: ApprovalDetail): string[] {
  const { sending, strange = 0 } = model.reviews.get(gate.id) ?? {};
  const isOpen = gate.state === 'pending' || gate.state === 'paused';
  return [
    ...(sending && isOpen
      ? [`${counted(sending.comments.length, 'comment')} may not have reached the daemon. S sends them again.`]
      : []),
    ...earlierWords(model, gate),
    ...(strange > 0 ? [`${counted(strange, 'file')} among your comments cannot be read.`] : []),
  ];
}
