import type { Model } from '../model/model.ts';
import { fitWidth, type Line, line, span, withStyle, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';

/** Of the terminal's rows, so that what they are about is still seen. */
const MOST = 1 / 3;

/** What was said in passing, in rows of its own below the screen: they cover nothing. */
export function toastLines({ toasts, size: { columns, rows } }: Pick<Model, 'toasts' | 'size'>): Line[] {
  if (toasts.length === 0) return [];
  const said = toasts.flatMap(({ tone, text }) => {
    const sign = span({ good: ' ✓ ', warn: ' ! ', bad: ' ✗ ' }[tone], theme[tone]);
    return wrap(text, columns - 4).map((each, nth) =>
      withStyle(fitWidth(line(nth === 0 ? sign : '   ', ...each), columns), theme.toast),
    );
  });
  return said.slice(-Math.max(1, Math.floor(rows * MOST)));
}
