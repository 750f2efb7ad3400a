import type { NewComment } from '../../../../schemas/comments/comment.ts';
import type { Draft } from '../../../../schemas/comments/draft.ts';
import { type Line, line, span, wrap } from '../../../text/line.ts';
import { theme } from '../../../text/theme.ts';
import { placeOf, type Spot } from './spots.ts';

/** A row of a section with comments: a line of the section, or of a draft below the line that it is about. */
export interface ReviewRow {
  readonly spot: Spot | undefined;
  readonly draft?: Draft;
}

/** Both lists have one entry a row. */
export interface ReviewRows {
  readonly lines: readonly Line[];
  readonly rows: readonly ReviewRow[];
}

const cache = new WeakMap<readonly Line[], { drafts: readonly Draft[]; made: ReviewRows }>();

/** The lines of a section with the drafts below them. The same object for the same lines and drafts. */
export function reviewRows(
  lines: readonly Line[],
  spots: readonly (Spot | undefined)[],
  drafts: readonly Draft[],
  columns: number,
): ReviewRows {
  const known = cache.get(lines);
  if (known?.drafts === drafts) return known.made;
  const below = new Map<number, Draft[]>();
  for (const draft of drafts) {
    const { line: first, artifact } = draft.comment;
    const fits = (spot: Spot | undefined) => isAbout(draft.comment, spot);
    const at = first === null && artifact === null ? spots.findIndex(fits) : spots.findLastIndex(fits);
    if (at >= 0) below.set(at, [...(below.get(at) ?? []), draft]);
  }
  const shown: Line[] = [];
  const rows: ReviewRow[] = [];
  lines.forEach((each, nth) => {
    const spot = spots[nth];
    shown.push(each);
    rows.push({ spot });
    for (const draft of below.get(nth) ?? []) {
      for (const part of draftLines(draft.comment, columns)) {
        shown.push(part);
        rows.push({ spot, draft });
      }
    }
  });
  const made = { lines: shown, rows };
  cache.set(lines, { drafts, made });
  return made;
}

/** True for each row that a comment is about. A comment on a file is shown at the first row of that. */
function isAbout(comment: NewComment, spot: Spot | undefined): boolean {
  if (!spot) return false;
  const { path, side, line: first, endLine, artifact, pointer, quote } = comment;
  if (spot.is === 'whole') return path === null && artifact === null;
  if (spot.is === 'document') {
    if (spot.artifact !== artifact) return false;
    if (pointer !== null) return spot.pointer === pointer && (quote === '' || quote.includes(spot.text));
    return quote === '' ? spot.pointer === '' : quote.split('\n').includes(spot.text);
  }
  if (spot.path !== path) return false;
  if (spot.is === 'file') return first === null;
  const own = side === 'new' ? spot.row.newLine : spot.row.oldLine;
  return first !== null && own !== null && own >= first && own <= (endLine ?? first);
}

const BAR = '┃ ';

function draftLines({ kind, text }: NewComment, columns: number): Line[] {
  const look = kind === 'question' ? theme.accent : theme.warn;
  const sign = kind === 'question' ? '? ' : '';
  return wrap(`${sign}${text}`, Math.max(1, columns - BAR.length), theme.title).map((each) =>
    line(span(BAR, look), ...each),
  );
}

/** The place of a comment on these rows, or why there can be none. Rows of drafts count as the line above. */
export function placeOfRows(rows: readonly ReviewRow[]): ReturnType<typeof placeOf> {
  const own = rows.filter(({ draft }) => draft === undefined);
  return placeOf((own.length === 0 ? rows.slice(0, 1) : own).map(({ spot }) => spot));
}
