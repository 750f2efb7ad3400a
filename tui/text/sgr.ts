import { type Line, type Span, type Style, span } from './line.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the parsed sequences begin with one
const SEQUENCE = /\u001b\[([\d;]*)m/;

/** Parses a row of a replayed terminal: text with SGR sequences only, as `cli/client/replay/rowText.ts` writes them. */
export function sgrLine(text: string): Line {
  const spans: Span[] = [];
  let style: Style | undefined;
  text.split(SEQUENCE).forEach((part, nth) => {
    if (nth % 2 === 1) style = styleOf(part.split(';').map(Number));
    else if (part !== '') spans.push(span(part, style));
  });
  return spans;
}

function styleOf(codes: readonly number[]): Style | undefined {
  const style: { -readonly [K in keyof Style]: Style[K] } = {};
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 4) style.underline = true;
    else if (code === 7) style.inverse = true;
    else if (code >= 30 && code <= 37) style.fg = code - 30;
    else if (code >= 40 && code <= 47) style.bg = code - 40;
    else if (code === 38 || code === 48) {
      const isIndexed = codes[at + 1] === 5;
      const value = isIndexed
        ? (codes[at + 2] ?? 0)
        : nearest(codes[at + 2] ?? 0, codes[at + 3] ?? 0, codes[at + 4] ?? 0);
      style[code === 38 ? 'fg' : 'bg'] = value;
      at += isIndexed ? 2 : 4;
    }
  }
  return Object.keys(style).length === 0 ? undefined : style;
}

/** The nearest of the 216 colours of the cube. */
function nearest(red: number, green: number, blue: number): number {
  const level = (value: number) => Math.round((Math.max(0, Math.min(255, value)) / 255) * 5);
  return 16 + 36 * level(red) + 6 * level(green) + level(blue);
}
