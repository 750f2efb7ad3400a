import { keyName } from '../model/binding.ts';
import { type Model, type OverlayOf, type Size, type Step, step } from '../model/model.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { scrolled, scrolledLines, wrapLines } from './scrolled.ts';

/** Only the keys of answers answer. A list that does not fit can be scrolled. */
export function onConfirmKey(closed: Model, overlay: OverlayOf<'confirm'>, key: string, room: Size): Step {
  if (key === overlay.yes) return overlay.then(closed);
  const { list, top = 0, others = [] } = overlay;
  const other = others.find((each) => each.key === key);
  if (other) return other.then(closed);
  const rows = listRows(overlay, room);
  const to =
    list && wrapLines(list, room).length > rows ? scrolled(top, key, wrapLines(list, room).length, rows) : undefined;
  return step(to === undefined ? closed : { ...closed, overlay: { ...overlay, top: to } });
}

function questionLines({ question, detail }: OverlayOf<'confirm'>, columns: number): Line[] {
  return [...wrap(question, columns), ...(detail === undefined ? [] : wrap(detail, columns, theme.muted))];
}

function listRows(overlay: OverlayOf<'confirm'>, { columns, rows }: Size): number {
  return Math.max(2, rows - questionLines(overlay, columns).length - 3);
}

/** A long explanation is cut, so that the keys are always visible. */
export function confirmLines(overlay: OverlayOf<'confirm'>, columns: number, rows: number): Line[] {
  const { yes, label = 'yes', list, top = 0, others = [] } = overlay;
  const answers = [{ key: yes, label }, ...others];
  const keys = line(
    ...answers.flatMap((each) => [span(keyName(each.key), theme.key), ` ${each.label}   `]),
    span('any other key', theme.key),
    ' cancels',
  );
  const asked = questionLines(overlay, columns);
  if (!list) return [...asked.slice(0, Math.max(1, rows - 2)), EMPTY, keys];
  const rest = (more: number) => (more > 0 ? `↓ ${more} more; j and k scroll` : 'End; k scrolls back');
  const shown = scrolledLines(wrapLines(list, { columns }), top, listRows(overlay, { columns, rows }), rest);
  return [...asked, EMPTY, ...shown, EMPTY, keys];
}
