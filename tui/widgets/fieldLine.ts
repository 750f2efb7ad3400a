import { widthOf } from '../../cli/client/textWidth.ts';
import type { Field } from '../model/field.ts';
import { linesOf } from '../model/fieldLines.ts';
import { clean } from '../text/clean.ts';
import { fitWidth, type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** A field with its cursor. Of a long text it shows the part around the cursor. */
export function fieldLine({ text, at }: Field, columns: number, active = true): Line {
  const letters = [...text].map(shown);
  if (!active) return fitWidth(line(text), columns);
  let from = 0;
  let width = widthOf(letters.slice(0, at).join(''));
  while (width > columns - 2) {
    width -= widthOf(letters[from] ?? '');
    from += 1;
  }
  const before = letters.slice(from, at).join('');
  const under = letters[at] ?? ' ';
  return fitWidth(line(before, span(under, theme.marked), letters.slice(at + 1).join('')), columns);
}

/** A field of several lines; of many those around the cursor. */
export function fieldLines(field: Field, columns: number, rows: number): Line[] {
  const { lines, row, column } = linesOf(field);
  const from = Math.max(0, Math.min(row - rows + 1, lines.length - rows));
  return lines.slice(from, from + rows).map((text, nth) => {
    const at = from + nth === row ? column : 0;
    return fieldLine({ text, at }, columns, from + nth === row);
  });
}

/** The character as painted. An invisible one becomes a dot, so that the cursor stays in place. */
function shown(letter: string): string {
  return clean(letter) || (/\p{Mark}/u.test(letter) ? letter : '·');
}
