import { fitWidth, type Line, line, type Style, span, wrap } from './line.ts';
import { theme } from './theme.ts';

/** Wrapped text stays readable beside a wide label. */
const LEAST_TEXT = 10;

/** A label of `width` cells, and its text wrapped beside it. */
export function labelled(label: string, text: string, columns: number, width: number, style?: Style): Line[] {
  return wrap(text, Math.max(LEAST_TEXT, columns - width), style).map((each, nth) =>
    line(...fitWidth(line(span(nth === 0 ? label : '', theme.muted)), width), ...each),
  );
}
