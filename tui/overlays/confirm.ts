import { keyName } from '../model/binding.ts';
import type { Model, Size } from '../model/model.ts';
import type { OverlayOf } from '../model/overlay.ts';
import { type Step, step } from '../model/step.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { flowed, scrolled, scrolledLines } from './scrolled.ts';

/** Only its own key says yes, and a list that is longer than its room is scrolled. */
export function onConfirmKey(closed: Model, overlay: OverlayOf<'confirm'>, key: string, room: Size): Step {
  if (key === overlay.yes) return overlay.then(closed);
  const { list, top = 0 } = overlay;
  const rows = listRows(overlay, room);
  const to = list && flowed(list, room).length > rows ? scrolled(top, key, flowed(list, room).length, rows) : undefined;
  return step(to === undefined ? closed : { ...closed, overlay: { ...overlay, top: to } });
}

function saidOf({ question, detail }: OverlayOf<'confirm'>, columns: number): Line[] {
  return [...wrap(question, columns), ...(detail === undefined ? [] : wrap(detail, columns, theme.muted))];
}

function listRows(overlay: OverlayOf<'confirm'>, { columns, rows }: Size): number {
  return Math.max(2, rows - saidOf(overlay, columns).length - 3);
}

/** A long explanation is cut so that the keys are always seen. */
export function confirmLines(overlay: OverlayOf<'confirm'>, columns: number, rows: number): Line[] {
  const { yes, label = 'yes', list, top = 0 } = overlay;
  const keys = line(span(keyName(yes), theme.key), ` ${label}   `, span('any other key', theme.key), ' no, leave it');
  const said = saidOf(overlay, columns);
  if (!list) return [...said.slice(0, Math.max(1, rows - 2)), EMPTY, keys];
  const rest = (more: number) => (more > 0 ? `↓ ${more} more; j and k scroll` : 'That is all; k goes back');
  const shown = scrolledLines(flowed(list, { columns }), top, listRows(overlay, { columns, rows }), rest);
  return [...said, EMPTY, ...shown, EMPTY, keys];
}
