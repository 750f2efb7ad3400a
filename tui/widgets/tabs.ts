import { widthOf } from '../../cli/client/textWidth.ts';
import { known, need } from '../model/data.ts';
import type { Model, ScreenId } from '../model/model.ts';
import { type Line, line, lineWidth, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** What the header shows on every screen. */
export const STATUS = need('daemon.status', {});

export const NAME = ' devflow ';

/** In the order of their keys, `1` first. */
const TABS = ['runs', 'approvals', 'sessions', 'templates', 'personas', 'doctor', 'help'] as const satisfies ScreenId[];
const PARENT: Readonly<Partial<Record<ScreenId, ScreenId>>> = {
  run: 'runs',
  approval: 'approvals',
  session: 'sessions',
  new: 'runs',
};
const SHORT_BELOW = 100;
const SHORTER_BELOW = 78;

/** The screens in the header, each with its key; where there is little room only the present one has its whole name. */
export function tabs(model: Model): { readonly screen: ScreenId; readonly line: Line }[] {
  const pending = known(model.data, STATUS)?.approvals.pending ?? 0;
  const here = PARENT[model.place.screen] ?? model.place.screen;
  const { columns } = model.size;
  const letters = columns < SHORTER_BELOW ? 3 : columns < SHORT_BELOW ? 4 : 20;
  return TABS.map((screen, nth) => {
    const isHere = screen === here;
    const name = isHere ? screen : screen.slice(0, letters);
    const count = screen === 'approvals' && pending > 0 ? span(` ${pending}`, theme.warn) : undefined;
    const title = span(name, isHere ? theme.here : theme.muted);
    return { screen, line: line(' ', span(`${nth + 1} `, theme.key), title, count, columns >= SHORTER_BELOW && ' ') };
  });
}

/** The screen whose tab is at a column of the header. */
export function tabAt(model: Model, column: number): ScreenId | undefined {
  let end = widthOf(NAME);
  if (column < end) return undefined;
  return tabs(model).find((tab) => {
    end += lineWidth(tab.line);
    return column < end;
  })?.screen;
}
