import type { Draft } from '../../../schemas/comments/draft.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { type Binding, bindingsWhile, movementBindings } from '../../model/binding.ts';
import { field } from '../../model/field.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { approvalOf } from './approvalQueries.ts';
import { cursorOf, moveCursor, reviewRowsOf, visibleRows } from './approvalReader.ts';
import { approvalState as state } from './approvalState.ts';
import { placeWords } from './comments/placeWords.ts';
import { marksOf } from './comments/readMarks.ts';
import { placeOfRows, type ReviewRow } from './comments/reviewRows.ts';
import { takesComments } from './comments/takesComments.ts';
import { whyUndecidable } from './decide.ts';
import { sendComments, whyNothingToSend } from './sendComments.ts';
import { editReview } from './wholeReview.ts';
import { acting, writeComment, writtenText } from './writeComment.ts';

const hasCursor = (model: Model) => reviewRowsOf(model) !== undefined;
const rowsOf = (model: Model): readonly ReviewRow[] => reviewRowsOf(model) ?? [];
const rowAt = (model: Model): ReviewRow | undefined => rowsOf(model)[cursorOf(model)];

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

function whyNoComment(model: Model): string | undefined {
  if (!isRange(model) && rowAt(model)?.draft) return undefined;
  const place = placeOfRows(selected(model));
  return 'why' in place ? place.why : undefined;
}

/** The rows where comments begin. */
function draftRows(model: Model): { row: number; draft: Draft }[] {
  const rows = rowsOf(model);
  return rows.flatMap(({ draft }, row) => (draft && rows[row - 1]?.draft?.id !== draft.id ? [{ row, draft }] : []));
}

function jump(by: 1 | -1): Pick<Binding, 'disabled' | 'run'> {
  const target = (model: Model) => {
    const cursor = cursorOf(model);
    const rows = draftRows(model).map(({ row }) => row);
    return by > 0 ? rows.find((row) => row > cursor) : rows.findLast((row) => row < cursor);
  };
  return {
    disabled: (model) => (target(model) === undefined ? 'there is no further comment in this section' : undefined),
    run: (model) => step(moveCursor(model, target(model) ?? cursorOf(model))),
  };
}

const firstLine = (text: string) => text.split('\n')[0] ?? '';

function overview(model: Model): Step {
  const choices = draftRows(model).map(({ row, draft: { comment } }) => ({
    value: String(row),
    label: placeWords(comment),
    description: firstLine(writtenText(comment)),
  }));
  const then = (after: Model, value: string) => step(moveCursor(after, Number(value)));
  return step({ ...model, overlay: { kind: 'choose', title: 'Comments', choices, field: field(), selected: 0, then } });
}

function fileMark(model: Model): { path: string; mark: string } | undefined {
  const spot = rowAt(model)?.spot;
  const path = spot && 'path' in spot ? spot.path : undefined;
  const diff = approvalOf(model)?.diff;
  const mark = diff && path !== undefined ? marksOf(diff).get(path) : undefined;
  return mark === undefined || path === undefined ? undefined : { path, mark };
}

const moves = movementBindings('approval.cursor');
const cursorMove = (label: string, keys: string[], help: string, to: (model: Model) => number) =>
  moves(label, keys, help, (model) => step(moveCursor(model, to(model))));
const halfPage = (model: Model) => visibleRows(model) >> 1;

const inSection: readonly Binding[] = [
  cursorMove(
    'next line',
    ['j', 'down'],
    'Go to the next line of the change or of a document',
    (model) => cursorOf(model) + 1,
  ),
  cursorMove(
    'previous line',
    ['k', 'up'],
    'Go to the previous line of the change or of a document',
    (model) => cursorOf(model) - 1,
  ),
  cursorMove('page down', ['C-d', 'pagedown'], 'Go down half a page', (model) => cursorOf(model) + halfPage(model)),
  cursorMove('page up', ['C-u', 'pageup'], 'Go up half a page', (model) => cursorOf(model) - halfPage(model)),
  cursorMove('first line', ['g', 'home'], 'Go to the first line', () => 0),
  cursorMove('last line', ['G', 'end'], 'Go to the last line', (model) => rowsOf(model).length - 1),
  {
    id: 'approval.comment',
    keys: ['c'],
    label: 'comment',
    help: 'Comment on the line, the range, the file or the whole under the cursor; on a comment, change it',
    footer: true,
    disabled: whyNoComment,
    run: onGate((model, gate) => {
      const draft = isRange(model) ? undefined : rowAt(model)?.draft;
      const place = draft?.comment ?? placeOfRows(selected(model));
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
      const draft = rowAt(model)?.draft;
      return draft ? acting(model, gate, { do: 'remove', draft }) : step(model);
    }),
  },
  {
    id: 'approval.nextComment',
    keys: [')'],
    label: 'next comment',
    help: 'Go to the next comment',
    ...jump(1),
  },
  {
    id: 'approval.commentBefore',
    keys: ['('],
    label: 'previous comment',
    help: 'Go to the previous comment',
    ...jump(-1),
  },
  {
    id: 'approval.comments',
    keys: ['@'],
    label: 'comments',
    help: 'Choose a comment and go to it',
    disabled: (model) => (draftRows(model).length > 0 ? undefined : 'this section has no comment'),
    run: overview,
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
      return acting(model, gate, { do: 'mark', mark: found.mark, isRead });
    }),
  },
];

export const commentBindings: readonly Binding[] = [
  ...bindingsWhile(hasCursor, inSection),
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
      id: 'approval.review',
      keys: ['E'],
      label: 'review in $EDITOR',
      help: 'Open all comments as one text in your editor, to change, delete and add some',
      run: onGate(editReview),
    },
  ]),
];
