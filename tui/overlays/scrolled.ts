import { counted } from '../../schemas/text/phrases.ts';
import { type Model, type OverlayOf, type Size, type Step, step } from '../model/model.ts';
import { EMPTY, type Line, line, span, wrapLine } from '../text/line.ts';
import { theme } from '../text/theme.ts';

const BY: Readonly<Record<string, number>> = {
  j: 1,
  down: 1,
  'C-d': 8,
  pagedown: 8,
  ' ': 8,
  end: 10_000,
  G: 10_000,
  k: -1,
  up: -1,
  'C-u': -8,
  pageup: -8,
  home: -10_000,
  g: -10_000,
};

/** The first visible line after a key; undefined for a key that does not scroll. */
export function scrolled(top: number, key: string, count: number, rows: number): number | undefined {
  const by = BY[key];
  return by === undefined ? undefined : Math.max(0, Math.min(top + by, count - (rows - 1)));
}

/** As many lines as fit. The last one says how many more there are. */
export function scrolledLines(all: readonly Line[], top: number, rows: number, rest: (more: number) => string): Line[] {
  if (all.length <= rows) return [...all];
  const from = Math.max(0, Math.min(top, all.length - (rows - 1)));
  const shown = all.slice(from, from + rows - 1);
  return [...shown, line(span(rest(all.length - from - shown.length), theme.muted))];
}

/** Wraps long lines. */
export function wrapLines(lines: readonly Line[], { columns }: Pick<Size, 'columns'>): Line[] {
  return lines.flatMap((each) => wrapLine(each, columns));
}

export function onMessageKey(model: Model, overlay: OverlayOf<'message'>, key: string, room: Size): Step {
  const { length } = wrapLines(overlay.lines, room);
  const top = length > rowsIn(room) ? scrolled(overlay.top, key, length, rowsIn(room)) : undefined;
  return step({ ...model, overlay: top === undefined ? undefined : { ...overlay, top } });
}

const rowsIn = ({ rows }: Size): number => Math.max(2, rows - 2);

export function messageLines({ lines, top }: OverlayOf<'message'>, columns: number, rows: number): Line[] {
  const rest = (more: number) => (more > 0 ? `↓ ${counted(more, 'more line')}; j and k scroll` : 'End; k scrolls back');
  const shown = scrolledLines(wrapLines(lines, { columns }), top, rowsIn({ columns, rows }), rest);
  return [...shown, EMPTY, line(span('any other key', theme.key), ' closes')];
}
