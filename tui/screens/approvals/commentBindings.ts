import type { NewComment } from '../../../schemas/comments/comment.ts';
import type { Draft, DraftAct } from '../../../schemas/comments/draft.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { type Binding, bindingsWhile } from '../../model/binding.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { approvalOf } from './approvalQueries.ts';
import { cursorOf } from './approvalReader.ts';
import { approvalState as state } from './approvalState.ts';
import { marksOf } from './comments/readMarks.ts';
import { placeOfRows, type ReviewRow } from './comments/reviewRows.ts';
import { draftsIn, type ShownDraft } from './comments/shownDrafts.ts';
import { type PlaceOfComment, WHOLE } from './comments/spots.ts';
import { takesComments } from './comments/takesComments.ts';
import { cursorBindings, hasCursor, rowAt, rowsOf } from './cursorBindings.ts';
import { whyUndecidable } from './decide.ts';
import { diffOf } from './diffOf.ts';
import { sendComments, whyNothingToSend } from './sendComments.ts';
import { editReview } from './wholeReview.ts';
import { acting, writeComment } from './writeComment.ts';

function onGate(act: (model: Model, gate: ApprovalDetail) => Step): Binding['run'] {
  return (model) => {
    const gate = approvalOf(model);
    return gate ? act(model, gate) : step(model);
  };
}

function selected(model: Model): readonly ReviewRow[] {
  const cursor = cursorOf(model);
  const { from = cursor } = state.get(model);
  return rowsOf(model).slice(Math.min(from, cursor), Math.max(from, cursor) + 1);
}

function isReviewed(model: Model): boolean {
  const gate = approvalOf(model);
  return gate !== undefined && takesComments(gate);
}

const isRange = (model: Model) => state.get(model).from !== undefined;

/** What a comment would be about, and the draft that it would change. */
function target(model: Model): { place: ReturnType<typeof placeOfRows>; draft?: Draft } {
  const found = isRange(model) ? undefined : rowAt(model)?.draft;
  if (!found) return { place: placeOfRows(selected(model)) };
  const { draft, comment, lost } = found;
  // What lost its lines can still be said about the file.
  return { draft, place: lost === undefined ? comment : lostPlace(model, comment) };
}

function lostPlace(model: Model, { path }: NewComment): PlaceOfComment {
  const gate = approvalOf(model);
  const isShown = path !== null && gate?.diff?.files.some((file) => file.path === path);
  return { ...WHOLE, path: isShown ? path : null };
}

function whyNoComment(model: Model): string | undefined {
  const { place } = target(model);
  return 'why' in place ? place.why : undefined;
}

/** Earlier drafts that have a place here. */
function toTake(model: Model): ShownDraft[] {
  const gate = approvalOf(model);
  if (!gate) return [];
  const shown = draftsIn(model, gate, 'code').drafts;
  return shown.filter(({ note, lost }) => note !== undefined && lost === undefined);
}

function fileMark(model: Model): { path: string; mark: string } | undefined {
  const spot = rowAt(model)?.spot;
  const path = spot && 'path' in spot ? spot.path : undefined;
  const gate = approvalOf(model);
  const diff = gate && diffOf(model, gate);
  const mark = diff && path !== undefined ? marksOf(diff).get(path) : undefined;
  return mark === undefined || path === undefined ? undefined : { path, mark };
}

/** Where there is a cursor, `c` comments on what is under it. */
export const commentsAtCursor = (model: Model): boolean => isReviewed(model) && hasCursor(model);

const atCursor: readonly Binding[] = [
  {
    id: 'approval.comment',
    keys: ['c'],
    label: 'comment',
    help: 'Comment on the line, the range, the file or the whole under the cursor; on a comment, change it',
    footer: true,
    disabled: whyNoComment,
    run: onGate((model, gate) => {
      const { place, draft } = target(model);
      return 'why' in place ? step(model) : writeComment(model, gate, place, draft);
    }),
  },
  {
    id: 'approval.range',
    keys: ['v'],
    label: 'range',
    help: 'Begin a range of lines at the cursor, or end it',
    footer: true,
    run: (model) => step(state.set(model, { from: isRange(model) ? undefined : cursorOf(model) })),
  },
  {
    id: 'approval.deleteComment',
    keys: ['x'],
    label: 'delete comment',
    help: 'Delete the comment under the cursor',
    disabled: (model) => (rowAt(model)?.draft ? undefined : 'the cursor is on no comment'),
    run: onGate((model, gate) => {
      const draft = rowAt(model)?.draft?.draft;
      return draft ? acting(model, gate, [{ do: 'remove', draft }]) : step(model);
    }),
  },
  {
    id: 'approval.read',
    keys: [' '],
    label: 'read',
    help: 'Mark the file under the cursor as read, or as not read; a mark holds until the file changes',
    disabled: (model) => (fileMark(model) ? undefined : 'the cursor is on no file that is shown whole'),
    run: onGate((model, gate) => {
      const found = fileMark(model);
      if (!found) return step(model);
      const isRead = !model.reviews.get(gate.id)?.read.includes(found.mark);
      return acting(model, gate, [{ do: 'mark', mark: found.mark, isRead }]);
    }),
  },
];

export const commentBindings: readonly Binding[] = [
  ...bindingsWhile(commentsAtCursor, atCursor),
  ...cursorBindings,
  ...bindingsWhile(isRange, [
    {
      id: 'approval.endRange',
      keys: ['escape'],
      label: 'end range',
      help: 'End the range',
      run: (model) => step(state.set(model, { from: undefined })),
    },
  ]),
  ...bindingsWhile(isReviewed, [
    {
      id: 'approval.sendComments',
      keys: ['S'],
      label: 'send comments',
      help: 'Send all comments as one decision that requests changes, after a second key',
      footer: true,
      disabled: (model) => whyNothingToSend(model) ?? whyUndecidable(model, 'request_changes'),
      run: onGate(sendComments),
    },
    {
      id: 'approval.takeOver',
      keys: ['t'],
      label: 'take over',
      help: 'Take the comments that were written at the gate before, where they have a place here',
      disabled: (model) => (toTake(model).length > 0 ? undefined : 'there is no comment from the gate before to take'),
      run: onGate((model, gate) =>
        acting(
          model,
          gate,
          toTake(model).map(({ draft, comment }): DraftAct => ({ do: 'write', draft, comment })),
        ),
      ),
    },
    {
      id: 'approval.review',
      keys: ['E'],
      label: 'review in $EDITOR',
      help: 'Open all comments as one text in your editor, to change, delete and add some',
      run: onGate(editReview),
    },
  ]),
];
