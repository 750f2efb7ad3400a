import type { Model, Size } from '../model/model.ts';
import { toastLines } from './toasts.ts';

/** Below this nothing can be shown that would help. */
export const LEAST: Size = { columns: 60, rows: 15 };

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < LEAST.columns || rows < LEAST.rows;
}

/** Rows of the header, and of the banner where there is one. */
export function headRows({ link }: Model): number {
  return link.state === 'away' ? 2 : 1;
}

/** What a screen gets: without header, footer, and what is said between them. */
export function bodySize(model: Model): Size {
  const { columns, rows } = model.size;
  return { columns, rows: Math.max(0, rows - headRows(model) - toastLines(model).length - 1) };
}
