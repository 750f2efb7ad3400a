import { numberText } from '../../../schemas/objective/words.ts';
import type { IterationRow } from '../../../schemas/rpc/views/backtest.ts';
import { fitWidth, type Line, line, type Span, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';

export interface Staircase {
  better: 'higher' | 'lower';
  /** The target of the primary metric; undefined without one. */
  target?: number | undefined;
}

interface Step {
  row: IterationRow;
  /** The best up to this iteration, and the bound that a gain must pass; undefined without a base. */
  best: number | undefined;
  needed: number | undefined;
}

const LABEL = 10;
/** Wider steps say no more. */
const WIDEST = 32;
/** A target this many times as far away as the values are from each other would press them together. */
const FAR = 4;

/**
 * The best value over the iterations, with each measured value, the required gain, and the target. The steps use all
 * columns; if there is no room for all, the newest are shown. Below are the axis and a legend.
 */
export function staircase(
  rows: readonly IterationRow[],
  { better, target }: Staircase,
  size: { columns: number; rows: number },
): Line[] {
  const columns = Math.max(1, size.columns - LABEL - 2);
  const steps = stepsOf(rows, better, columns);
  const values = steps.flatMap(({ row, best, needed }) =>
    [row.value, best, needed].filter((each) => typeof each === 'number'),
  );
  if (values.length === 0 || size.rows < 3) return [];
  const shown = target !== undefined && isNear(target, values) ? target : undefined;
  const all = shown === undefined ? values : [...values, shown];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const rowOf = (value: number) => {
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return Math.round((1 - share) * (size.rows - 1));
  };
  const width = Math.max(1, Math.min(WIDEST, Math.floor(columns / steps.length)));
  const targetRow = shown === undefined ? undefined : rowOf(shown);
  const marks = steps.map((each) => marksOf(each, rowOf));
  const plot = Array.from({ length: size.rows }, (_, at) => {
    const ground = at === targetRow ? TARGET : SPACE;
    const cells = marks.flatMap((each) => stepCells(each.get(at), ground, width));
    return line(span(`${labelOf(at, size.rows, { low, high })} `, theme.muted), ...joined(cells));
  });
  return [...plot, axisOf(steps, width), legendOf(target, shown)].map((each) => fitWidth(each, size.columns));
}

function isNear(target: number, values: readonly number[]): boolean {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spread = Math.max(high - low, Math.abs(high) / 10);
  return target >= low - FAR * spread && target <= high + FAR * spread;
}

function labelOf(at: number, rows: number, { low, high }: { low: number; high: number }): string {
  const text = at === 0 ? numberText(high) : at === rows - 1 ? numberText(low) : '';
  return text.slice(0, LABEL).padStart(LABEL);
}

/** The numbers of the iterations, each below its mark where there is room. */
function axisOf(steps: readonly Step[], width: number): Line {
  let text = '';
  for (const [nth, { row }] of steps.entries()) {
    const at = nth * width + middleOf(width);
    const label = String(row.iteration);
    if (nth > 0 && at < text.length + 1) continue;
    if (at + label.length > steps.length * width) continue;
    text = `${text.padEnd(at)}${label}`;
  }
  return line(span(`${'iteration'.padStart(LABEL)} ${text}`, theme.muted));
}

function legendOf(target: number | undefined, shown: number | undefined): Line {
  const goal =
    target === undefined ? '' : `  ┄ target ${numberText(target)}${shown === undefined ? ', out of view' : ''}`;
  return line(
    span(' '.repeat(LABEL + 1)),
    span('● kept', theme.good),
    span('  ○ undone', theme.muted),
    span('  ━ best', theme.accent),
    span('  · a gain must pass', theme.muted),
    span(goal, theme.warn),
  );
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
const TARGET = span('┄', theme.warn);
const [BEST, NEEDED] = [span('━', theme.accent), span('·', theme.muted)];
const [KEPT, TRIED] = [span('●', theme.good), span('○', theme.muted)];

/** The marks of a step in one row: its fill, and the measured point. */
interface Marks {
  fill?: Span;
  point?: Span;
}

function marksOf({ row, best, needed }: Step, rowOf: (value: number) => number): Map<number, Marks> {
  const marks = new Map<number, Marks>();
  if (needed !== undefined) marks.set(rowOf(needed), { fill: NEEDED });
  if (best !== undefined) marks.set(rowOf(best), { fill: BEST });
  if (row.value === null) return marks;
  const at = rowOf(row.value);
  return marks.set(at, { ...marks.get(at), point: row.isKept ? KEPT : TRIED });
}

function stepCells(marks: Marks | undefined, ground: Span, width: number): Span[] {
  const { fill = ground, point = fill } = marks ?? {};
  return Array.from({ length: width }, (_, at) => (at === middleOf(width) ? point : fill));
}

function middleOf(width: number): number {
  return Math.floor((width - 1) / 2);
}
