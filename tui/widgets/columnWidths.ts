import { fitWidth, type Line } from '../text/line.ts';

/** What a column of a table is worth. */
export interface ColumnWidth {
  /** With fewer cells it says nothing: then it is left out, with its title. */
  readonly min: number;
  readonly ideal: number;
  /** The one of least worth is left out first, and the one of most worth gets its best width first. */
  readonly priority: number;
  /** It is left out where it would leave the others less room: absent, its least. What it does not take is theirs. */
  readonly reserve?: number;
  /** Takes the room that no other column has a use for. */
  readonly grows?: true;
}

const GAP = 1;

/** How many cells each column gets of so many, a gap between them; 0 for one that is left out, and at least its least for the others. */
export function columnWidths(columns: readonly ColumnWidth[], cells: number): number[] {
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
  for (const column of kept) if (column.grows) give(column, left);
  return columns.map((column) => widths.get(column) ?? 0);
}

/** The cells of a row beside each other, without those that are left out. */
export function joinCells(cells: readonly Line[], widths: readonly number[]): Line {
  const shown = cells.flatMap((cell, at) => ((widths[at] ?? 0) > 0 ? [fitWidth(cell, widths[at] ?? 0)] : []));
  return shown.flatMap((cell, nth) => (nth === 0 ? cell : [{ text: ' '.repeat(GAP) }, ...cell]));
}
