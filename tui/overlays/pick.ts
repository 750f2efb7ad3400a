import { type Field, typed } from '../model/field.ts';
import type { Size } from '../model/model.ts';
import { EMPTY, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { fieldLine } from '../widgets/fieldLine.ts';
import { rowsOf, visibleRows } from '../widgets/selectableList.ts';

/** A person picks one of several things by typing a part of its name. */
export interface Picking {
  readonly field: Field;
  readonly selected: number;
}

const PAGE = 8;
const MOST_ROWS = 14;

const MOVES: Readonly<Record<string, number>> = {
  down: 1,
  'C-n': 1,
  tab: 1,
  pagedown: PAGE,
  up: -1,
  'C-p': -1,
  'S-tab': -1,
  pageup: -PAGE,
};

/** After a key, with `count` things to pick from. */
export function pickKey({ field, selected }: Picking, count: number, key: string): Picking | 'picked' | 'closed' {
  if (key === 'escape') return 'closed';
  if (key === 'enter') return 'picked';
  const by = MOVES[key];
  if (by !== undefined) return { field, selected: Math.max(0, Math.min(selected + by, count - 1)) };
  const next = typed(field, key);
  if (next === undefined) return { field, selected };
  return { field: next, selected: next.text === field.text ? selected : 0 };
}

/** The field, and below it as many things as fit. */
export function pickLines<T>(
  { field, selected }: Picking,
  found: readonly T[],
  draw: (item: T, columns: number) => Line,
  { columns, rows }: Size,
): Line[] {
  const height = Math.max(1, Math.min(rows - 2, MOST_ROWS));
  const shown = visibleRows(rowsOf(found), selected, { columns, rows: height }, draw);
  const none = line(span('Nothing matches.', theme.muted));
  return [fieldLine(field, columns), EMPTY, ...(shown.length > 0 ? shown : [none])];
}
