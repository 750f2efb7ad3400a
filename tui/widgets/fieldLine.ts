import type { Field } from '../model/field.ts';
import { type Line, line, sized, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { widthOf } from '../text/width.ts';

/** A field with its cursor; of a long text the part around it. */
export function fieldLine({ text, at }: Field, columns: number, active = true): Line {
  const letters = [...text];
  if (!active) return sized(line(text), columns);
  let from = 0;
  while (widthOf(letters.slice(from, at).join('')) > columns - 2) from += 1;
  const before = letters.slice(from, at).join('');
  const under = letters[at] ?? ' ';
  return sized(line(before, span(under, theme.marked), letters.slice(at + 1).join('')), columns);
}
