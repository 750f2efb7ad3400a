import { fitWidth, type Line, line, span } from '../text/line.ts';
import { memoize } from '../text/memoize.ts';
import { theme } from '../text/theme.ts';

export interface ColumnWidth {
  /** With fewer cells the column is dropped, with its title. */
  readonly min: number;
  readonly ideal: number;
  /** The lowest is dropped first; the highest gets its ideal width first. */
  readonly priority: number;
  /** It is dropped unless so many cells are left for it. Absent: `min`. The rest goes to the others. */
  readonly reserve?: number;
  /** Takes the cells that no other column needs; with a number, first and up to so many. */
  readonly grows?: true | number;
}

const GAP = 1;

/** The cells of each column, with a gap between two. 0: the column is dropped. Otherwise at least `min`. */
export function columnWidths(columns: readonly ColumnWidth[], cells: number): readonly number[] {
  return widthsIn(columns, String(cells));
}

/** Every row of a list has the same. */
const widthsIn = memoize((columns: readonly ColumnWidth[], given): readonly number[] => {
  const cells = Number(given);
  const kept = [...columns].sort((a, b) => b.priority - a.priority);
  const used = () => kept.reduce((sum, { min }) => sum + min + GAP, -GAP);
  const spared = () => Math.max(0, (kept.at(-1)?.reserve ?? 0) - (kept.at(-1)?.min ?? 0));
  while (kept.length > 1 && used() + spared() > cells) kept.pop();
  const widths = new Map(kept.map((column) => [column, column.min]));
  let left = cells - used();
  const give = (column: ColumnWidth, most: number) => {
    const more = Math.max(0, Math.min(left, most));
    widths.set(column, (widths.get(column) ?? 0) + more);
    left -= more;
  };
  for (const column of kept) give(column, column.ideal - column.min);
  for (const column of kept)
    if (typeof column.grows === 'number') give(column, column.grows - (widths.get(column) ?? 0));
  for (const column of kept) if (column.grows === true) give(column, left);
  return columns.map((column) => widths.get(column) ?? 0);
});

/**
 * The same columns, but those that say the same in each row are dropped before a column that tells the rows apart has less
 * than its ideal width. `same`: their indexes, with a comma between two.
 */
export const givingWay = memoize((columns: readonly ColumnWidth[], same): readonly ColumnWidth[] => {
  const lacking = columns.reduce((sum, { min, ideal, grows }) => sum + (grows ? ideal - min : 0), 0);
  return columns.map((column, at) =>
    same.split(',').includes(String(at))
      ? { ...column, priority: column.priority - 100, reserve: Math.max(column.reserve ?? 0, column.min + lacking) }
      : column,
  );
});

/** The indexes of columns whose text is the same in all rows. A single row has nothing to be told from. */
export function sameColumns<T>(rows: readonly T[], texts: Readonly<Record<number, (row: T) => string>>): string {
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return '';
  const same = Object.entries(texts).filter(([, text]) => others.every((row) => text(row) === text(first)));
  return same.map(([at]) => at).join(',');
}

/** The same columns with changes to some, by index. */
export function withColumns(
  columns: readonly ColumnWidth[],
  changes: Readonly<Record<number, Partial<ColumnWidth>>>,
): readonly ColumnWidth[] {
  return columns.map((column, at) => ({ ...column, ...changes[at] }));
}

/** True if not all rows have the same text there. */
export function areMixed<T>(rows: readonly T[], text: (row: T) => string): boolean {
  const [first, ...others] = rows;
  return first !== undefined && others.some((row) => text(row) !== text(first));
}

/** The cells of a row beside each other, without dropped columns. */
export function joinCells(cells: readonly Line[], widths: readonly number[]): Line {
  const shown = cells.flatMap((cell, at) => ((widths[at] ?? 0) > 0 ? [fitWidth(cell, widths[at] ?? 0)] : []));
  return shown.flatMap((cell, nth) => (nth === 0 ? cell : [{ text: ' '.repeat(GAP) }, ...cell]));
}

/** The titles above the rows, each of which starts with one cell for the selection. */
export function titleLine(titles: readonly string[], columns: readonly ColumnWidth[], cells: number): Line {
  const names = titles.map((title) => line(span(title, theme.muted)));
  return line(' ', ...joinCells(names, columnWidths(columns, cells - 1)));
}
