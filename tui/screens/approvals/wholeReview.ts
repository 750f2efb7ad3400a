import type { Draft, DraftAct } from '../../../schemas/comments/draft.ts';
import { defined } from '../../../schemas/defined.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { toast, toastError } from '../../model/toast.ts';
import { gateName } from '../../text/runWords.ts';
import { approvalState as state } from './approvalState.ts';
import { type EditedReview, readReviewMarkdown, reviewMarkdown, withFaults } from './comments/reviewMarkdown.ts';
import { draftsOf } from './comments/takesComments.ts';
import { commentContext } from './decisionComment.ts';
import { acting } from './writeComment.ts';

/** Opens all comments as one text in the editor, and takes what comes back. */
export function editReview(model: Model, gate: ApprovalDetail): Step {
  const kept = state.get(model).review;
  if (kept) return edit(model, gate, kept);
  const drafts = draftsOf(model, gate);
  const text = reviewMarkdown(gateName(gate), drafts, commentContext(model, gate));
  return edit(model, gate, { text, drafts });
}

/** The text, and the drafts that its numbers name. */
interface Given {
  readonly text: string;
  readonly drafts: readonly Draft[];
}

/** A text with faults is opened again with these on top, until it is right or comes back as it was. */
function edit(model: Model, gate: ApprovalDetail, given: Given): Step {
  const { text, drafts } = given;
  const then = (after: Model, edited: string): Step => {
    const kept = state.get(after).review !== undefined;
    if (edited === text && !kept) return step(after);
    const read = readReviewMarkdown(edited, drafts);
    if (!read.ok) {
      const again = { text: withFaults(edited, read.faults), drafts };
      const later = state.set(after, { review: again });
      if (again.text !== text) return edit(later, gate, again);
      const [fault = ''] = read.faults;
      return step(toast(later, 'bad', `Nothing was taken, and E opens your text again. ${fault}`));
    }
    // The text is kept until each of its comments is a file.
    return acting(state.set(after, { review: { text: edited, drafts } }), gate, actsOf(read, drafts), {
      then: (written) => step(state.set(written, { review: undefined })),
      failed: (here, error) => step(toast(toastError(here, error), 'warn', 'E opens your text again.')),
    });
  };
  return step(model, { type: 'edit', text, suffix: '.md', then });
}

function actsOf({ comments, removed }: Extract<EditedReview, { ok: true }>, drafts: readonly Draft[]): DraftAct[] {
  const draftOf = (id: string | undefined) => drafts.find((each) => each.id === id);
  const written = comments.flatMap(({ id, comment }): DraftAct[] => {
    const draft = draftOf(id);
    const isSame = draft !== undefined && JSON.stringify(draft.comment) === JSON.stringify(comment);
    return isSame ? [] : [{ do: 'write', comment, ...defined({ draft }) }];
  });
  const gone = drafts.filter(({ id }) => removed.includes(id)).map((draft): DraftAct => ({ do: 'remove', draft }));
  return [...written, ...gone];
}
