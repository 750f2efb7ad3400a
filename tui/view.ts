import { banner, footer, header } from './frame.ts';
import type { Model, Size } from './model/model.ts';
import { bodySize, isTooSmall, LEAST } from './model/size.ts';
import { withOverlay } from './overlays/view.ts';
import { screenOf } from './screens/index.ts';
import { noDaemonView } from './screens/noDaemon.ts';
import { EMPTY, type Line, lay, line, over, sized, span, wrap } from './text/line.ts';
import { theme } from './text/theme.ts';

/** All lines of the terminal, exactly `size.rows` of `size.columns` cells. Pure. */
export function view(model: Model): readonly Line[] {
  const { size, link } = model;
  if (isTooSmall(size)) return tooSmall(size);
  if (link.state === 'none' || link.state === 'other version') return filled(noDaemonView(model, size), size);
  const body = bodySize(model);
  const lines = withToasts(model, filled(screenOf(model).view(model, body), body), body);
  return [header(model), ...banner(model), ...withOverlay(model, lines, body), footer(model)];
}

function filled(lines: readonly Line[], { columns, rows }: Size): Line[] {
  return Array.from({ length: rows }, (_, row) => sized(lines[row] ?? EMPTY, columns));
}

function tooSmall(size: Size): Line[] {
  const say = `devflow needs ${LEAST.columns}x${LEAST.rows} cells; this is ${size.columns}x${size.rows}. Make it larger, or press q.`;
  return filled(wrap(say, size.columns), size);
}

function withToasts(model: Model, lines: Line[], { columns, rows }: Size): readonly Line[] {
  if (model.toasts.length === 0) return lines;
  const width = Math.min(columns - 4, 64);
  const said = model.toasts.flatMap(({ tone, text }) => {
    const sign = span({ good: ' ✓ ', warn: ' ! ', bad: ' ✗ ' }[tone], theme[tone]);
    return wrap(text, width - 4).map((each, nth) =>
      over(sized(line(nth === 0 ? sign : '   ', ...each), width), { bg: 238 }),
    );
  });
  const shown = said.slice(-Math.max(1, rows - 2));
  return lay(lines, shown, rows - shown.length, columns - width - 1);
}
