import type { Model, Size } from './model.ts';

/** Below this nothing can be shown that would help. */
export const LEAST: Size = { columns: 60, rows: 15 };

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < LEAST.columns || rows < LEAST.rows;
}

/** What a screen gets: without header and footer, and without the banner where there is one. */
export function bodySize({ size, link }: Model): Size {
  const banner = link.state === 'away' ? 1 : 0;
  return { columns: size.columns, rows: Math.max(0, size.rows - 2 - banner) };
}
