import { aboveScissors, SCISSORS } from '../../../cli/client/scissors.ts';
import type { NewComment } from '../../../schemas/comments/comment.ts';
import type { Draft, DraftAct } from '../../../schemas/comments/draft.ts';
import { COMMENT_LIMITS, tooLong } from '../../../schemas/comments/limits.ts';
import { defined } from '../../../schemas/defined.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { ApiError } from '../../model/apiError.ts';
import { field } from '../../model/field.ts';
import { type DraftsCommand, type Model, type Step, step } from '../../model/model.ts';
import { toast, toastError } from '../../model/toast.ts';
import { approvalState as state } from './approvalState.ts';
import { placeWords } from './comments/placeWords.ts';
import type { PlaceOfComment } from './comments/spots.ts';
import { reviewedGate } from './comments/takesComments.ts';

/** Changes the files of a review. A range ends with it. */
export function acting(
  model: Model,
  gate: ApprovalDetail,
  acts: readonly DraftAct[],
  ends: Pick<DraftsCommand, 'then' | 'failed'> = {},
): Step {
  return step(state.set(model, { from: undefined }), { type: 'drafts', gate: reviewedGate(gate), acts, ...ends });
}

/** A question mark at the beginning asks a question. */
function said(text: string): Pick<NewComment, 'kind' | 'text'> {
  const asked = /^\?\s*(\S[\s\S]*)$/.exec(text.trim());
  return asked ? { kind: 'question', text: asked[1] ?? '' } : { kind: 'change', text: text.trim() };
}

/** As a person has written it. */
export const writtenText = ({ kind, text }: Pick<NewComment, 'kind' | 'text'>) =>
  `${kind === 'question' ? '? ' : ''}${text}`;

/** Asks for the text of a comment at a place, or for another text of a draft. No text is lost before it is a draft. */
export function writeComment(model: Model, gate: ApprovalDetail, place: PlaceOfComment, draft?: Draft): Step {
  function ask(after: Model, text: string): Model {
    return {
      ...after,
      overlay: {
        ...({ kind: 'input', label: 'keep', field: field(text), manyLines: true, mayBeEmpty: false } as const),
        title: `Comment on ${placeWords(place)}`,
        description: 'A ? at the beginning asks a question. S sends all comments as one decision.',
        editor: (closed, written) => edit(closed, written),
        then: keep,
      },
    };
  }

  function keep(after: Model, text: string): Step {
    const comment = { ...place, ...said(text) };
    if (comment.text.length > COMMENT_LIMITS.text) return edit(after, text, `Shorten it: ${tooLong(comment.text)}`);
    return acting(after, gate, [{ do: 'write', ...defined({ draft }), comment }], { failed: asking(text) });
  }

  /** The disk is full, or there is no editor. */
  function asking(text: string) {
    return (after: Model, error: ApiError): Step => step(toastError(ask(after, text), error));
  }

  function edit(closed: Model, text: string, fault?: string): Step {
    const then = (after: Model, edited: string): Step => {
      const written = (fault === undefined ? edited : (aboveScissors(edited) ?? edited)).trim();
      if (written === '') return step(after);
      const { text: kept } = said(written);
      if (kept.length <= COMMENT_LIMITS.text) return keep(after, written);
      return step(toast(ask(after, written), 'bad', `Nothing is kept yet: ${tooLong(kept)}`));
    };
    const below = fault === undefined ? '' : `\n${SCISSORS}\n${fault}\nOnly what stands above the line is kept.\n`;
    return step(closed, { type: 'edit', text: `${text}${below}`, suffix: '.md', then, failed: asking(text) });
  }

  return step(ask(model, draft ? writtenText(draft.comment) : ''));
}
