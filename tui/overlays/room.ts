import type { Size } from '../model/model.ts';

const MOST_COLUMNS = 88;

/** How much fits into a frame over a screen of this size. */
export function roomIn({ columns, rows }: Size): Size {
  return { columns: Math.min(columns - 4, MOST_COLUMNS) - 4, rows: rows - 2 };
}
