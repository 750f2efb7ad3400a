import type { Model } from '../model/model.ts';
import { fitWidth, type Line, line, span, withStyle, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

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
