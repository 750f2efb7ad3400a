import { type Line, sized } from '../text/line.ts';

/** What a column of a table is worth. */
export interface Width {
  /** With fewer cells it says nothing: then it is left out, with its title. */
  readonly least: number;
  readonly best: number;
  /** The one of least worth is left out first, and the one of most worth gets its best width first. */
  readonly worth: number;
  /** It is left out where it would leave the others less room: absent, its least. What it does not take is theirs. */
  readonly needs?: number;
  /** Takes the room that no other column has a use for. */
  readonly grows?: true;
}

const GAP = 1;

/** How many cells each column gets of so many, a gap between them; 0 for one that is left out, and at least its least for the others. */
export function layOut(columns: readonly Width[], cells: number): number[] {
  const kept = [...columns].sort((a, b) => b.worth - a.worth);
  const used = () => kept.reduce((sum, { least }) => sum + least + GAP, -GAP);
  const spared = () => Math.max(0, (kept.at(-1)?.needs ?? 0) - (kept.at(-1)?.least ?? 0));
  while (kept.length > 1 && used() + spared() > cells) kept.pop();
  const widths = new Map(kept.map((column) => [column, column.least]));
  let left = cells - used();
  const give = (column: Width, most: number) => {
    const more = Math.max(0, Math.min(left, most));
    widths.set(column, (widths.get(column) ?? 0) + more);
    left -= more;
  };
  for (const column of kept) give(column, column.best - column.least);
  for (const column of kept) if (column.grows) give(column, left);
  return columns.map((column) => widths.get(column) ?? 0);
}

/** The cells of a row beside each other, without those that are left out. */
export function beside(cells: readonly Line[], widths: readonly number[]): Line {
  const shown = cells.flatMap((cell, at) => ((widths[at] ?? 0) > 0 ? [sized(cell, widths[at] ?? 0)] : []));
  return shown.flatMap((cell, nth) => (nth === 0 ? cell : [{ text: ' '.repeat(GAP) }, ...cell]));
}
