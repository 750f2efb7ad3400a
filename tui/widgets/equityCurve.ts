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

/** The first of 256 characters, one for each pattern of two by four dots. It is empty and counts as invisible. */
const NO_DOTS = 0x2800;
/** The bit of each dot, by row and column. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** A curve through the points, scaled to so many cells; pure. Without points, or without cells, no rows. */
export function brailleCurve(points: readonly number[], columns: number, rows: number): string[] {
  if (points.length === 0 || columns < 1 || rows < 1) return [];
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const cells = Array.from({ length: rows }, () => new Uint8Array(columns));
  const [width, height] = [columns * 2, rows * 4];
  const yOf = (value: number) => {
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return Math.round((1 - share) * (height - 1));
  };
  let before: number | undefined;
  for (let x = 0; x < width; x += 1) {
    const y = yOf(points[Math.round((x / Math.max(1, width - 1)) * (points.length - 1))] ?? low);
    // A steep step is a line, not two dots.
    const from = before === undefined ? y : before + Math.sign(y - before);
    for (let at = Math.min(from, y); at <= Math.max(from, y); at += 1) {
      const row = cells[at >> 2];
      const dot = DOTS[at & 3]?.[x & 1] ?? 0;
      if (row) row[x >> 1] = (row[x >> 1] ?? 0) | dot;
    }
    before = y;
  }
  return cells.map((row) => [...row].map((dots) => (dots === 0 ? ' ' : String.fromCharCode(NO_DOTS + dots))).join(''));
}
