import { banner, footer, header } from './frame.ts';
import type { Model, Size } from './model/model.ts';
import { withOverlay } from './overlays/index.ts';
import { screenOf } from './screens/index.ts';
import { noDaemonView } from './screens/noDaemon.ts';
import { EMPTY, fitWidth, type Line, wrap } from './text/line.ts';
import { bodySize, isTooSmall, LEAST, toastLines } from './widgets/bodySize.ts';

/** All rows of the terminal, each exactly as wide. Pure. */
export function view(model: Model): readonly Line[] {
  const { size, link } = model;
  if (isTooSmall(size)) return tooSmall(size);
  if (link.state === 'none' || link.state === 'other version') return filled(noDaemonView(model, size), size);
  const body = bodySize(model);
  const lines = filled(screenOf(model).view(model, body), body);
  return [header(model), ...banner(model), ...withOverlay(model, lines, body), ...toastLines(model), footer(model)];
}

function filled(lines: readonly Line[], { columns, rows }: Size): Line[] {
  return Array.from({ length: rows }, (_, row) => fitWidth(lines[row] ?? EMPTY, columns));
}

function tooSmall(size: Size): Line[] {
  const message = `devflow needs ${LEAST.columns}x${LEAST.rows} cells; this is ${size.columns}x${size.rows}. Make it larger, or press q.`;
  return filled(wrap(message, size.columns), size);
}
