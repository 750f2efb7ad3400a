import { widthOf } from '../../cli/client/textWidth.ts';
import type { Model, ScreenId } from '../model/model.ts';
import { answerOf, STATUS } from '../model/query.ts';
import { type Line, line, lineWidth, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { ALL_SCREENS, screenOf } from './index.ts';

export const NAME = ' devflow ';

const SHORT_BELOW = 100;
const SHORTER_BELOW = 78;

/** The tabs of the header, each with its key. A narrow terminal shows the whole name of the current one alone. */
export function tabs(model: Model): { readonly screen: ScreenId; readonly line: Line }[] {
  const pending = answerOf(model.data, STATUS)?.approvals.pending ?? 0;
  const { tab } = screenOf(model);
  const { columns } = model.size;
  const letters = columns < SHORTER_BELOW ? 3 : columns < SHORT_BELOW ? 4 : 20;
  return ALL_SCREENS.filter((screen) => screen.tab === screen.id).map(({ id, key }) => {
    const isHere = id === tab;
    const name = isHere ? id : id.slice(0, letters);
    const count = id === 'approvals' && pending > 0 ? span(` ${pending}`, theme.warn) : undefined;
    const title = span(name, isHere ? theme.here : theme.muted);
    const digit = span(`${key?.key ?? ''} `, theme.key);
    return { screen: id, line: line(' ', digit, title, count, columns >= SHORTER_BELOW && ' ') };
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
