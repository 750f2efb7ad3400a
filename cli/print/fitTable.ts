import { shortenPath } from '../client/paths.ts';
import { widthOf } from '../client/textWidth.ts';

/** The part of a column that matters for fitting. */
interface Fitted {
  title: string;
  /** Shortened in the middle if the table is too wide. */
  path?: true;
  /** Dropped if the table is still too wide; the highest number first. */
  spare?: number;
}

const LEAST_PATH = 14;
/** For the last column, which is cut at the edge. */
const LEAST_LAST = 14;
const GAP = 2;

/** The indexes of the columns to keep, and the cells with shortened paths. An infinite width keeps everything. */
export function fitTable(
  columns: readonly Fitted[],
  texts: readonly string[][],
  width: number,
): { kept: number[]; texts: string[][] } {
  let kept = columns.map((_, at) => at);
  const widest = (at: number) =>
    Math.max(widthOf(columns[at]?.title ?? ''), ...texts.map((row) => widthOf(row[at] ?? '')));
  const widths = columns.map((_, at) => widest(at));
  const least = (at: number) => {
    const all = widths[at] ?? 0;
    if (at === columns.length - 1) return Math.min(all, LEAST_LAST);
    return columns[at]?.path ? Math.min(all, LEAST_PATH) : all;
  };
  const needs = () => kept.reduce((sum, at) => sum + least(at) + GAP, -GAP);
  const spares = kept.filter((at) => columns[at]?.spare !== undefined);
  spares.sort((a, b) => (columns[b]?.spare ?? 0) - (columns[a]?.spare ?? 0));
  for (const at of spares) if (needs() > width) kept = kept.filter((each) => each !== at);

  const last = kept.at(-1);
  const fixed = kept.reduce((sum, at) => sum + (at === last ? least(at) : (widths[at] ?? 0)) + GAP, -GAP);
  const path = kept.find((at) => columns[at]?.path);
  if (path === undefined || fixed <= width) return { kept, texts: [...texts] };
  const room = Math.max(
    path === last ? width - (fixed - least(path)) : (widths[path] ?? 0) - (fixed - width),
    LEAST_PATH,
  );
  return { kept, texts: texts.map((row) => row.map((text, at) => (at === path ? shortenPath(text, room) : text))) };
}

export function widthOfTable(columns: readonly Fitted[], texts: readonly string[][]): number {
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...texts.map((row) => widthOf(row[at] ?? ''))),
  );
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}
