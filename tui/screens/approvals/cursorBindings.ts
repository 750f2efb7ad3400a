import type { CommentView } from '../../../schemas/comments/commentView.ts';
import { commentPlace } from '../../../schemas/comments/commentWords.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { type Binding, bindingsWhile, movementBindings } from '../../model/binding.ts';
import { field } from '../../model/field.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { approvalOf } from './approvalQueries.ts';
import { cursorOf, moveCursor, showRow, visibleRows } from './approvalReader.ts';
import { approvalState as state } from './approvalState.ts';
import { placeWords } from './comments/placeWords.ts';
import type { ReviewRow } from './comments/reviewRows.ts';
import { isBeyondPatch } from './comments/shownDiff.ts';
import type { ShownDraft } from './comments/shownDrafts.ts';
import { diffOf } from './diffOf.ts';
import { reviewRowsOf, rowsIn, shownSection } from './reviewedSection.ts';
import { writtenText } from './writeComment.ts';

export const hasCursor = (model: Model) => reviewRowsOf(model) !== undefined;
export const rowsOf = (model: Model): readonly ReviewRow[] => reviewRowsOf(model) ?? [];
/** The row under the cursor. */
export const rowAt = (model: Model): ReviewRow | undefined => rowsOf(model)[cursorOf(model)];

/** The rows where comments begin. */
function draftRows(model: Model): { row: number; shown: ShownDraft }[] {
  const rows = rowsOf(model);
  return rows.flatMap(({ draft }, row) => (draft && rows[row - 1]?.draft !== draft ? [{ row, shown: draft }] : []));
}

/** The rows where answered comments begin. */
function answerRows(model: Model): { row: number; comment: CommentView }[] {
  const rows = rowsOf(model);
  const commentAt = (row: number) => {
    const spot = rows[row]?.spot;
    return spot?.is === 'comment' ? spot.comment : undefined;
  };
  return rows.flatMap((_, row) => {
    const comment = commentAt(row);
    return comment && commentAt(row - 1) !== comment ? [{ row, comment }] : [];
  });
}

function jump(by: 1 | -1): Pick<Binding, 'disabled' | 'run'> {
  const next = (model: Model) => {
    const cursor = cursorOf(model);
    const rows = [...draftRows(model), ...answerRows(model)].map(({ row }) => row).sort((a, b) => a - b);
    return by > 0 ? rows.find((row) => row > cursor) : rows.findLast((row) => row < cursor);
  };
  return {
    disabled: (model) => (next(model) === undefined ? 'there is no further comment in this section' : undefined),
    run: (model) => step(moveCursor(model, next(model) ?? cursorOf(model))),
  };
}

const firstLine = (text: string) => text.split('\n')[0] ?? '';

function overview(model: Model): Step {
  const drafts = draftRows(model).map(({ row, shown: { comment, note, lost } }) => ({
    value: String(row),
    label: placeWords(comment),
    description: [firstLine(writtenText(comment)), lost === undefined ? note : `${note}, without a place`]
      .filter((each) => each !== undefined)
      .join('  '),
  }));
  const answered = answerRows(model).map(({ row, comment }) => ({
    value: String(row),
    label: `${comment.id} ${commentPlace(comment)}`,
    description: firstLine(writtenText(comment)),
  }));
  const then = (after: Model, value: string) => step(moveCursor(after, Number(value)));
  const choices = [...drafts, ...answered];
  return step({ ...model, overlay: { kind: 'choose', title: 'Comments', choices, field: field(), selected: 0, then } });
}

/** The row that Enter goes to, or the file that it opens. */
type Way = { section: string; row: number } | { open: string };

function wayFrom(model: Model): Way | undefined {
  const gate = approvalOf(model);
  const spot = rowAt(model)?.spot;
  if (!gate || !spot || rowAt(model)?.draft) return undefined;
  if (spot.is === 'file' && spot.isName) return wayToFile(model, gate, spot.path);
  return spot.is === 'comment' ? wayToComment(model, gate, spot.comment) : undefined;
}

function wayToFile(model: Model, gate: ApprovalDetail, path: string): Way | undefined {
  const diff = diffOf(model, gate);
  if (diff && isBeyondPatch(diff, path) && !state.get(model).opened.includes(path)) return { open: path };
  const rows = rowsIn(model, gate, 'code');
  // The list names each file first, and the patch again.
  const row = rows.findLastIndex(
    ({ spot, draft }) => !draft && spot?.is === 'file' && spot.isName && spot.path === path,
  );
  return row < 0 || (row === cursorOf(model) && isShown(model, 'code')) ? undefined : { section: 'code', row };
}

function wayToComment(model: Model, gate: ApprovalDetail, comment: CommentView): Way | undefined {
  const { artifact, pointer, side, now } = comment;
  if (artifact !== null) {
    const row = rowsIn(model, gate, 'artifact').findIndex(
      ({ spot }) => spot?.is === 'document' && spot.pointer === (pointer ?? ''),
    );
    return row < 0 ? undefined : { section: 'artifact', row };
  }
  const { path = comment.path, line = null } = now ?? {};
  if (path === null) return undefined;
  const row = rowsIn(model, gate, 'code').findIndex(({ spot }) => {
    if (spot?.is !== 'line' || spot.path !== path || line === null) return false;
    return (side === 'new' ? spot.row.newLine : spot.row.oldLine) === line;
  });
  return row < 0 ? wayToFile(model, gate, path) : { section: 'code', row };
}

function isShown(model: Model, id: string): boolean {
  const gate = approvalOf(model);
  return gate !== undefined && shownSection(model, gate)?.id === id;
}

const moves = movementBindings('approval.cursor');
const cursorMove = (label: string, keys: string[], help: string, to: (model: Model) => number) =>
  moves(label, keys, help, (model) => step(moveCursor(model, to(model))));
const halfPage = (model: Model) => visibleRows(model) >> 1;

export const cursorBindings: readonly Binding[] = bindingsWhile(hasCursor, [
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
    id: 'approval.goTo',
    keys: ['enter'],
    label: 'go to',
    footer: true,
    help: 'Go to the place of the comment, or to the patch of the file; one that the patch lacks is read',
    disabled: (model) => (wayFrom(model) ? undefined : 'the cursor is on nothing that is shown elsewhere'),
    run(model) {
      const way = wayFrom(model);
      if (!way) return step(model);
      if ('open' in way) return step(state.set(model, { opened: [...state.get(model).opened, way.open] }));
      return step(showRow(model, way.section, way.row));
    },
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
    disabled: (model) =>
      draftRows(model).length + answerRows(model).length > 0 ? undefined : 'this section has no comment',
    run: overview,
  },
]);
