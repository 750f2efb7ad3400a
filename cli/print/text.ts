import { localTime } from '../../schemas/localTime.ts';
import { visible } from '../../schemas/visible.ts';
import { cut, widthOf } from '../client/textWidth.ts';

export { localTime, visible };

/** The text within so many columns, with an ellipsis where something was cut. Takes plain text, no colours. */
export function clip(text: string, columns: number): string {
  return widthOf(text) <= columns ? text : `${cut(text, columns - 1).text}…`;
}

/** Enough of an id to name it; any unambiguous prefix is accepted back. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
