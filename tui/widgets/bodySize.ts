import type { Model, Size } from '../model/model.ts';
import { awayServer } from '../model/serverAway.ts';
import { toastLines } from './toasts.ts';

/** The smallest terminal that the dashboard supports. */
export const LEAST: Size = { columns: 60, rows: 15 };

export function isTooSmall({ columns, rows }: Size): boolean {
  return columns < LEAST.columns || rows < LEAST.rows;
}

/** The rows of the header, and of the banner if there is one. */
export function headRows(model: Model): number {
  return model.link.state === 'away' || awayServer(model) ? 2 : 1;
}

/** The space of a screen: the terminal without header, banner, toasts and footer. */
export function bodySize(model: Model): Size {
  const { columns, rows } = model.size;
  return { columns, rows: Math.max(0, rows - headRows(model) - toastLines(model).length - 1) };
}
