import { type Field, typed } from '../model/field.ts';
import { EMPTY, fitWidth, type Line, line, span, withStyle } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { fieldLine } from '../widgets/fieldLine.ts';

/** Where a person is who picks one of several things by typing a part of its name. */
export interface Picking {
  readonly field: Field;
  readonly selected: number;
}

const BY: Readonly<Record<string, number>> = {
  ...{ down: 1, 'C-n': 1, tab: 1, pagedown: 8 },
  ...{ up: -1, 'C-p': -1, 'S-tab': -1, pageup: -8 },
};

/** After a key, of `count` things; `picked` says that it is this one. */
export function pickKey({ field, selected }: Picking, count: number, key: string): Picking | 'picked' | 'closed' {
  if (key === 'escape') return 'closed';
  if (key === 'enter') return 'picked';
  const by = BY[key];
  if (by !== undefined) return { field, selected: Math.max(0, Math.min(selected + by, count - 1)) };
  const next = typed(field, key);
  if (next === undefined) return { field, selected };
  return { field: next, selected: next.text === field.text ? selected : 0 };
}

/** The field, and as many of the things as there is room for, the selected one among them. */
export function pickLines<T>(
  { field, selected }: Picking,
  found: readonly T[],
  draw: (item: T) => Line,
  { columns, rows }: { columns: number; rows: number },
): Line[] {
  const height = Math.max(1, Math.min(rows - 2, 14));
  const from = Math.max(0, Math.min(selected - height + 1, found.length - height));
  const shown = found.slice(from, from + height).map((item, nth) => {
    const drawn = fitWidth(line(...draw(item)), columns);
    return from + nth === selected ? withStyle(drawn, theme.selected) : drawn;
  });
  const none = line(span('Nothing is called so.', theme.muted));
  return [fieldLine(field, columns), EMPTY, ...(shown.length > 0 ? shown : [none])];
}
