import { counted } from '../../schemas/text/phrases.ts';
import { type Model, type OverlayOf, type Size, type Step, step } from '../model/model.ts';
import { EMPTY, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { scrolled, scrolledLines, wrapLines } from './scrolled.ts';

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
