import { widthOf } from '../../cli/client/textWidth.ts';
import type { Model, ScreenId } from '../model/model.ts';
import { answerOf, STATUS } from '../model/query.ts';
import { type Line, line, lineWidth, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { ALL_SCREENS, screenOf } from './index.ts';

export const NAME = ' devflow ';

const SHORT_BELOW = 111;
const LETTERS_BELOW = 97;
const SHORTER_BELOW = 85;
const SHORTEST_BELOW = 75;
const LETTER_BELOW = 68;

/** The tabs of the header, each with its key. A narrow terminal shows the whole name of the current one alone. */
export function tabs(model: Model): { readonly screen: ScreenId; readonly line: Line }[] {
  const pending = answerOf(model.data, STATUS)?.approvals.pending ?? 0;
  const { tab } = screenOf(model);
  const { columns } = model.size;
  return ALL_SCREENS.filter((screen) => screen.tab === screen.id).map(({ id, key }) => {
    const isHere = id === tab;
    const name = isHere ? id : shortened(id, columns);
    const count = id === 'approvals' && pending > 0 ? span(` ${pending}`, theme.warn) : undefined;
    const title = span(name, isHere ? theme.here : theme.muted);
    const digit = span(`${key?.key ?? ''} `, theme.key);
    return { screen: id, line: line(' ', digit, title, count, columns >= SHORTER_BELOW && ' ') };
  });
}

/** A name of four letters stays whole where three would do. */
function shortened(name: string, columns: number): string {
  if (columns < LETTER_BELOW) return name.slice(0, 1);
  if (columns < SHORTER_BELOW) return name.slice(0, columns < SHORTEST_BELOW ? 2 : 3);
  if (columns >= SHORT_BELOW || name.length <= 4) return name;
  return name.slice(0, columns < LETTERS_BELOW ? 3 : 4);
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
