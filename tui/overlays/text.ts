import type { OverlayOf } from '../model/overlay.ts';
import { EMPTY, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** Something to read, or to copy with the mouse; each line as long as it is. */
export function textLines({ text }: OverlayOf<'text'>, columns: number, rows: number): Line[] {
  const keys = line(span('any key', theme.key), ' closes');
  return [...wrap(text, columns).slice(0, Math.max(1, rows - 2)), EMPTY, keys];
}
