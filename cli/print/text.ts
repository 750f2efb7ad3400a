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

/** How long ago, in the largest whole unit: `45 s`, `12 min`, `3 h`, `4 d`. */
export function sinceThen(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}
