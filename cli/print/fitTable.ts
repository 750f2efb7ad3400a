import { shortenPath } from '../client/paths.ts';
import { widthOf } from '../client/textWidth.ts';
import { clip } from './text.ts';

/** The part of a column that matters for fitting. */
interface Fitted {
  title: string;
  /** Shortened in the middle if the table is too wide. */
  path?: true;
  /** Cut at its end if the table is too wide. */
  cuts?: true;
  /** Dropped if the table is still too wide; the highest number first. */
  spare?: number;
}

const LEAST_PATH = 14;
/** For the last column, which is cut at the edge. */
const LEAST_LAST = 14;
const LEAST_CUT = 16;
/** A column that is cut has so much before paths and the last column get more than the least. */
const GOOD_CUT = 40;
const GAP = 2;

/** The indexes of the columns to keep, and the cells with shortened paths. An infinite width keeps everything. */
export function fitTable(
  columns: readonly Fitted[],
  texts: readonly string[][],
  width: number,
): { kept: number[]; texts: string[][] } {
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...texts.map((row) => widthOf(row[at] ?? ''))),
  );
  const full = (at: number) => widths[at] ?? 0;
  const last = columns.length - 1;
  const least = (at: number) => {
    const { path, cuts } = columns[at] ?? {};
    const most = at === last ? LEAST_LAST : cuts ? LEAST_CUT : path ? LEAST_PATH : full(at);
    return Math.min(full(at), most);
  };
  const good = (at: number) => (columns[at]?.cuts ? Math.min(full(at), GOOD_CUT) : least(at));
  let kept = columns.map((_, at) => at);
  const sum = (of: (at: number) => number) => kept.reduce((total, at) => total + of(at) + GAP, -GAP);
  const drop = (candidates: number[], needs: () => number) => {
    const first = (a: number, b: number) => (columns[b]?.spare ?? 0) - (columns[a]?.spare ?? 0);
    for (const at of candidates.sort(first)) if (needs() > width) kept = kept.filter((each) => each !== at);
  };
  // They tell no row from another, so they go before a title is cut short.
  drop(
    kept.filter((at) => saysTheSame(columns[at], texts, at)),
    () => sum(good),
  );
  drop(
    kept.filter((at) => columns[at]?.spare !== undefined),
    () => sum(least),
  );

  const given = new Map(kept.map((at) => [at, least(at)]));
  let left = width - sum(least);
  const give = (at: number, most: number) => {
    const now = given.get(at) ?? 0;
    const more = Math.max(0, Math.min(left, most - now));
    given.set(at, now + more);
    left -= more;
  };
  for (const at of kept) give(at, good(at));
  for (const at of kept) if (columns[at]?.path) give(at, full(at));
  for (const at of kept) if (columns[at]?.cuts) give(at, full(at));
  const shown = (text: string, at: number) => {
    const { path, cuts } = columns[at] ?? {};
    const room = given.get(at) ?? 0;
    if (path) return shortenPath(text, Math.max(room, LEAST_PATH));
    return cuts ? clip(text, room) : text;
  };
  return { kept, texts: texts.map((row) => row.map(shown)) };
}

/** True for a column that may go and has one text in all rows. A single row has nothing to be told from. */
function saysTheSame({ spare, path }: Fitted = { title: '' }, texts: readonly string[][], at: number): boolean {
  if (texts.length < 2 || (spare === undefined && path === undefined)) return false;
  return texts.every((row) => row[at] === texts[0]?.[at]);
}

export function widthOfTable(columns: readonly Fitted[], texts: readonly string[][]): number {
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...texts.map((row) => widthOf(row[at] ?? ''))),
  );
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}
