import type { CommentView } from '../../../../schemas/comments/commentView.ts';
import {
  answerWords,
  commentPlace,
  commentStateWords,
  placeNowWords,
} from '../../../../schemas/comments/commentWords.ts';
import { parsePatch } from '../../../../schemas/diff/parsePatch.ts';
import type { ApprovalDetail } from '../../../../schemas/rpc/views/approval.ts';
import { visible } from '../../../../schemas/text/visible.ts';
import { EMPTY, type Line, line, span, wrap } from '../../../text/line.ts';
import { memoize } from '../../../text/memoize.ts';
import { theme } from '../../../text/theme.ts';
import { rowStyle } from '../../../widgets/diff.ts';
import type { Spot } from './spots.ts';

interface Group {
  readonly title: string;
  readonly comments: readonly CommentView[];
}

/** True if agents have answered the last request with comments, or cannot. Then a person reads the answers first. */
export function hasAnswers({ comments = [] }: Pick<ApprovalDetail, 'comments'>): boolean {
  return newestOf(comments).some(({ state }) => state !== 'open');
}

/** The comments of the last request that had some. */
function newestOf(comments: readonly CommentView[]): CommentView[] {
  const last = comments.at(-1)?.approvalId;
  return comments.filter(({ approvalId }) => approvalId === last);
}

/** Those of the last request by what became of them. A place that is lost has a group of its own. */
function groupsOf(comments: readonly CommentView[]): Group[] {
  const newest = newestOf(comments);
  const isLost = ({ now }: CommentView) => now?.as === 'outdated';
  const inState = (state: CommentView['state']) => newest.filter((each) => each.state === state && !isLost(each));
  const groups: Group[] = [
    { title: 'Answered', comments: inState('answered') },
    { title: 'Told to the agent', comments: inState('told') },
    { title: 'Not answered', comments: inState('unanswered') },
    { title: 'Outdated: their lines are gone', comments: newest.filter(isLost) },
    { title: 'Waiting for an answer', comments: inState('open') },
    { title: 'Of earlier gates', comments: comments.filter((each) => !newest.includes(each)) },
  ];
  return groups.filter((group) => group.comments.length > 0);
}

interface Answers {
  readonly lines: readonly Line[];
  readonly spots: readonly (Spot | undefined)[];
}

/** The comments of earlier gates with their answers and what changed at their lines. */
export const answersAt = memoize((approval: ApprovalDetail, columns): Answers => {
  const rows = groupsOf(approval.comments ?? []).flatMap(({ title, comments }, nth) => [
    ...(nth === 0 ? [] : [{ line: EMPTY, spot: undefined }]),
    { line: line(span(`${title} (${comments.length})`, { ...theme.title, ...theme.accent })), spot: undefined },
    ...comments.flatMap((comment) => {
      const spot: Spot = { is: 'comment', comment };
      return [
        { line: EMPTY, spot: undefined },
        ...commentText(comment, Number(columns)).map((each) => ({ line: each, spot })),
      ];
    }),
  ]);
  return { lines: rows.map((each) => each.line), spots: rows.map(({ spot }) => spot) };
});

const BAR = '┃ ';

function commentText(comment: CommentView, columns: number): Line[] {
  const { id, kind, text, state, answers } = comment;
  const look = kind === 'question' ? theme.accent : theme.warn;
  const now = placeNowWords(comment);
  const place = line(
    span(`${id} `, theme.muted),
    span(commentPlace(comment), theme.title),
    now !== null && span(`  ${now}`, theme.muted),
    state !== 'answered' && span(`  ${commentStateWords(comment)}`, state === 'unanswered' ? theme.bad : theme.muted),
  );
  const inBar = (words: string) =>
    wrap(words, Math.max(1, columns - BAR.length)).map((each) => line(span(BAR, look), ...each));
  return [
    place,
    ...inBar(kind === 'question' ? `? ${text}` : text),
    ...answers.flatMap((answer) => {
      const isDone = answer.action === 'fixed' || answer.action === 'answered';
      return wrap(answerWords(answer), Math.max(1, columns - BAR.length)).map((each, nth) =>
        line(span(nth === 0 ? '→ ' : '  ', isDone ? theme.good : theme.warn), ...each),
      );
    }),
    ...changedLines(comment),
  ];
}

const NEAR = 3;
const MOST_CHANGED = 12;

/** The lines of the file that changed near the comment. */
function changedLines({ now, patch, path, line: first, endLine }: CommentView): Line[] {
  if (patch === null) return [];
  const from = (now?.line ?? first ?? 1) - NEAR;
  const to = (now?.endLine ?? now?.line ?? endLine ?? first ?? Number.POSITIVE_INFINITY) + NEAR;
  const { files, rows } = parsePatch(patch);
  const name = now?.path ?? path;
  let at = 0;
  const near = rows.filter(({ kind, newLine, file }, nth) => {
    if (files[file]?.path !== name) return false;
    at = newLine ?? nextLine(rows, nth) ?? at;
    return (kind === 'added' || kind === 'removed' || kind === 'context') && at >= from && at <= to;
  });
  if (near.every(({ kind }) => kind === 'context')) return [];
  const shown = near.slice(0, MOST_CHANGED).map((row) => line('  ', span(visible(row.text, 'code'), rowStyle(row))));
  const rest = near.length - shown.length;
  return rest > 0 ? [...shown, line(span(`  … ${rest} more`, theme.muted))] : shown;
}

/** A removed line stands before the next line of the new file. */
function nextLine(rows: readonly { newLine: number | null; kind: string }[], nth: number): number | undefined {
  const next = rows.slice(nth, nth + 200).find(({ newLine }) => newLine !== null);
  return next?.newLine ?? undefined;
}
