import { EMPTY, fitWidth, type Line, line, lineWidth, span, wrapLine } from '../text/line.ts';
import { theme } from '../text/theme.ts';

const BETWEEN = ' │ ';
const MIN_WIDTH = 4;

export type Align = 'left' | 'right' | 'center';

/** A table with aligned columns. The widest columns shrink first, and their text is wrapped. */
export function tableLines(rows: readonly (readonly Line[])[], columns: number, aligns: readonly Align[] = []): Line[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  if (count === 0) return [];
  const natural = Array.from({ length: count }, (_, nth) =>
    Math.max(1, ...rows.map((row) => lineWidth(row[nth] ?? EMPTY))),
  );
  const widths = fitted(natural, columns - (count - 1) * BETWEEN.length);
  const lines = rows.map((row) => rowLines(row, widths, aligns));
  const rule = line(span(widths.map((width) => '─'.repeat(width)).join('─┼─'), theme.muted));
  return [...(lines[0] ?? []), rule, ...lines.slice(1).flat()].map((each) =>
    lineWidth(each) > columns ? fitWidth(each, columns) : each,
  );
}

function fitted(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= MIN_WIDTH) break;
    widths[widths.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  return widths;
}

function rowLines(row: readonly Line[], widths: readonly number[], aligns: readonly Align[]): Line[] {
  const cells = widths.map((width, nth) => wrapLine(row[nth] ?? EMPTY, width));
  const height = Math.max(...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, at) =>
    widths.flatMap((width, nth) => {
      const cell = align(cells[nth]?.[at] ?? EMPTY, width, aligns[nth] ?? 'left');
      return nth === 0 ? cell : [span(BETWEEN, theme.muted), ...cell];
    }),
  );
}

function align(cell: Line, width: number, align: Align): Line {
  const free = Math.max(0, width - lineWidth(cell));
  const before = align === 'left' ? 0 : align === 'right' ? free : free >> 1;
  return fitWidth(line(' '.repeat(before), ...cell), width);
}
