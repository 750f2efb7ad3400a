import type { Model, Size } from '../model/model.ts';
import { answerOf, STATUS } from '../model/query.ts';
import { fitWidth, type Line, line, span, withStyle, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

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

/** The Temporal server, if the daemon is there and the server does not answer it. */
export function awayServer({ link, data }: Model): { address: string; since: string; reason: string } | undefined {
  const server = link.state === 'up' ? answerOf(data, STATUS)?.temporal : undefined;
  return server?.away ? { address: server.address, ...server.away } : undefined;
}

/** The share of the terminal's rows, so that the screen stays visible. */
const MAX_SHARE = 1 / 3;

/** The toasts, in rows of their own below the screen. They cover nothing. */
export function toastLines({ toasts, size: { columns, rows } }: Pick<Model, 'toasts' | 'size'>): Line[] {
  if (toasts.length === 0) return [];
  const lines = toasts.flatMap(({ tone, text }) => {
    const sign = span({ good: ' ✓ ', warn: ' ! ', bad: ' ✗ ' }[tone], theme[tone]);
    return wrap(text, columns - 4).map((each, nth) =>
      withStyle(fitWidth(line(nth === 0 ? sign : '   ', ...each), columns), theme.toast),
    );
  });
  return lines.slice(-Math.max(1, Math.floor(rows * MAX_SHARE)));
}
