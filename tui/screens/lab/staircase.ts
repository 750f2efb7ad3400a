import { numberText } from '../../../schemas/objective/words.ts';
import type { IterationRow } from '../../../schemas/rpc/views/backtest.ts';
import { type Line, line, type Span, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';

interface Step {
  row: IterationRow;
  /** The best up to this iteration, and the bound that a gain must pass; undefined without a base. */
  best: number | undefined;
  needed: number | undefined;
}

const LABEL = 10;

/**
 * The best value over the iterations, with what each of them measured and what a gain had to pass. One column is one
 * iteration; where there is no room for all, the newest are shown.
 */
export function staircase(
  rows: readonly IterationRow[],
  better: 'higher' | 'lower',
  size: { columns: number; rows: number },
): Line[] {
  const columns = Math.max(1, size.columns - LABEL - 2);
  const steps = stepsOf(rows, better, columns);
  const values = steps.flatMap(({ row, best, needed }) =>
    [row.value, best, needed].filter((each) => typeof each === 'number'),
  );
  if (values.length === 0 || size.rows < 3) return [];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const rowOf = (value: number) => {
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return Math.round((1 - share) * (size.rows - 1));
  };
  const marks = steps.map((each) => marksOf(each, rowOf));
  return Array.from({ length: size.rows }, (_, at) => {
    const label = at === 0 ? numberText(high) : at === size.rows - 1 ? numberText(low) : '';
    const cells = joined(marks.map((each) => each.get(at) ?? SPACE));
    return line(span(`${label.slice(0, LABEL).padStart(LABEL)} `, theme.muted), ...cells);
  });
}

/** Neighbours of one style as one span: a screen is painted by spans. */
function joined(cells: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const cell of cells) {
    const last = spans.at(-1);
    if (last && last.style === cell.style) spans[spans.length - 1] = span(last.text + cell.text, cell.style);
    else spans.push(cell);
  }
  return spans;
}

/** The last of them, as many as there are columns. */
function stepsOf(rows: readonly IterationRow[], better: 'higher' | 'lower', columns: number): Step[] {
  const sign = better === 'higher' ? 1 : -1;
  const steps: Step[] = [];
  let best: number | undefined;
  for (const [nth, row] of rows.entries()) {
    const needed = best === undefined || row.needed === null ? undefined : best + sign * row.needed;
    if (row.isKept && row.value !== null) best = row.value;
    if (nth >= rows.length - columns) steps.push({ row, best, needed });
  }
  return steps;
}

const SPACE = span(' ');
const [BEST, NEEDED] = [span('━', theme.accent), span('·', theme.muted)];
const [KEPT, TRIED] = [span('●', theme.good), span('○', theme.muted)];

/** What stands in the rows of a column; what was measured covers the rest. */
function marksOf({ row, best, needed }: Step, rowOf: (value: number) => number): Map<number, Span> {
  const marks = new Map<number, Span>();
  if (needed !== undefined) marks.set(rowOf(needed), NEEDED);
  if (best !== undefined) marks.set(rowOf(best), BEST);
  if (row.value !== null) marks.set(rowOf(row.value), row.isKept ? KEPT : TRIED);
  return marks;
}
