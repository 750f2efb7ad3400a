import { brailleCurve } from './braille.ts';

const LABEL = 10;

/** When the curve begins and ends. */
export interface CurveDates {
  from: string;
  to: string;
}

/** A curve with its highest and lowest value beside it, and its dates below; pure. */
export function labelledCurve(
  points: readonly number[],
  { columns, rows }: { columns: number; rows: number },
  { textOf, dates }: { textOf: (value: number) => string; dates: CurveDates | null },
): string[] {
  const width = columns - LABEL - 1;
  const curve = brailleCurve(points, width, rows);
  if (curve.length === 0) return [];
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const plot = curve.map((text, at) => {
    const label = at === 0 ? textOf(high) : at === rows - 1 ? textOf(low) : '';
    return `${label.slice(0, LABEL).padStart(LABEL)} ${text}`;
  });
  const { from, to } = dates ?? { from: 'first', to: 'last' };
  const gap = width - from.length - to.length;
  return gap < 1 ? plot : [...plot, `${' '.repeat(LABEL + 1)}${from}${' '.repeat(gap)}${to}`];
}
