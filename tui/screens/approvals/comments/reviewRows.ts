import type { NewComment } from '../../../../schemas/comments/comment.ts';
import { EMPTY, type Line, line, span, wrap } from '../../../text/line.ts';
import { theme } from '../../../text/theme.ts';
import { placeWords } from './placeWords.ts';
import type { ShownDraft, ShownDrafts } from './shownDrafts.ts';
import { placeOf, type Spot } from './spots.ts';

/** A row of a section with comments: a line of the section, or of a draft below the line that it is about. */
export interface ReviewRow {
  readonly spot: Spot | undefined;
  readonly draft?: ShownDraft;
}

/** Both lists have one entry a row. */
export interface ReviewRows {
  readonly lines: readonly Line[];
  readonly rows: readonly ReviewRow[];
}

const cache = new WeakMap<readonly Line[], { shown: ShownDrafts; made: ReviewRows }>();

/** The lines of a section with the drafts below them. The same object for the same lines and drafts. */
export function reviewRows(
  lines: readonly Line[],
  spots: readonly (Spot | undefined)[],
  shown: ShownDrafts,
  columns: number,
): ReviewRows {
  const known = cache.get(lines);
  if (known?.shown === shown) return known.made;
  const below = new Map<number, ShownDraft[]>();
  const elsewhere: ShownDraft[] = [];
  for (const each of shown.drafts) {
    const at = each.lost === undefined ? rowOf(each.comment, spots) : -1;
    if (at >= 0) below.set(at, [...(below.get(at) ?? []), each]);
    else if (shown.belongs(each.comment)) elsewhere.push(each);
  }
  const all: { line: Line; row: ReviewRow }[] = lines.flatMap((each, nth) => {
    const spot = spots[nth];
    const drafts = (below.get(nth) ?? []).flatMap((draft) =>
      draftLines(draft, columns).map((part) => ({ line: part, row: { spot, draft } })),
    );
    return [{ line: each, row: { spot } }, ...drafts];
  });
  all.push(...elsewhere.flatMap((draft, nth) => elsewhereRows(draft, nth === 0, columns)));
  const made = { lines: all.map((each) => each.line), rows: all.map(({ row }) => row) };
  cache.set(lines, { shown, made });
  return made;
}

/** The last row that a comment is about; of a file and of the whole, the first one. */
function rowOf(comment: NewComment, spots: readonly (Spot | undefined)[]): number {
  const fits = (spot: Spot | undefined) => isAbout(comment, spot);
  const isWide = comment.line === null && (comment.artifact === null || isOnDocument(comment));
  return isWide ? spots.findIndex(fits) : spots.findLastIndex(fits);
}

const isOnDocument = ({ pointer, quote }: NewComment) => pointer === null && quote === '';

/** A comment whose place is not shown, with its place in words. */
function elsewhereRows(draft: ShownDraft, isFirst: boolean, columns: number): { line: Line; row: ReviewRow }[] {
  const where = [placeWords(draft.comment), draft.lost].filter((each) => each !== undefined).join(': ');
  const title = [EMPTY, line(span('Without a place in what is shown', theme.title))];
  const row = { spot: undefined, draft };
  return [
    ...(isFirst ? title : []).map((each) => ({ line: each, row: { spot: undefined } })),
    ...wrap(where, columns, theme.muted).map((each) => ({ line: each, row })),
    ...draftLines(draft, columns).map((each) => ({ line: each, row })),
  ];
}

/** True for each row that a comment is about. A comment on a file is shown at the first row of that. */
function isAbout(comment: NewComment, spot: Spot | undefined): boolean {
  if (!spot) return false;
  const { path, side, line: first, endLine, artifact, pointer, quote } = comment;
  if (spot.is === 'whole') return path === null && artifact === null;
  if (spot.is === 'document') {
    if (spot.artifact !== artifact) return false;
    if (pointer !== null) return spot.pointer === pointer && (quote === '' || quote.includes(spot.text));
    if (isOnDocument(comment)) return spot.isWhole === true;
    return !spot.isWhole && quote.split('\n').includes(spot.text);
  }
  if (spot.is === 'comment' || spot.path !== path) return false;
  if (spot.is === 'file') return first === null;
  const own = side === 'new' ? spot.row.newLine : spot.row.oldLine;
  return first !== null && own !== null && own >= first && own <= (endLine ?? first);
}

const BAR = '┃ ';

function draftLines({ comment, note }: ShownDraft, columns: number): Line[] {
  const { kind, text } = comment;
  const look = kind === 'question' ? theme.accent : theme.warn;
  const sign = kind === 'question' ? '? ' : '';
  const width = Math.max(1, columns - BAR.length);
  const said = wrap(`${sign}${text}`, width, theme.title);
  const from = note === undefined ? [] : wrap(`(${note})`, width, theme.muted);
  return [...said, ...from].map((each) => line(span(BAR, look), ...each));
}

/** The place of a comment on these rows, or why there can be none. Rows of drafts count as the line above. */
export function placeOfRows(rows: readonly ReviewRow[]): ReturnType<typeof placeOf> {
  const own = rows.filter(({ draft }) => draft === undefined);
  return placeOf((own.length === 0 ? rows.slice(0, 1) : own).map(({ spot }) => spot));
}
