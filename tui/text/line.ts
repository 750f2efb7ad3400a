import { cut, widthOf } from '../../cli/client/textWidth.ts';
import { clean } from './clean.ts';

/** The meaning of a colour. `palette.ts` chooses the colour. */
export type Tone = 'muted' | 'accent' | 'good' | 'warn' | 'bad';
/** The background of a whole row. */
export type Ground = 'selected' | 'bar' | 'toast';

/** A number is one of 256 colours. The painter drops what the terminal cannot show or NO_COLOR forbids. */
export interface Style {
  readonly fg?: number | Tone;
  readonly bg?: number | Ground;
  readonly bold?: true;
  readonly dim?: true;
  readonly underline?: true;
  readonly inverse?: true;
}

/** Text of one style. Only `span` makes it, and cleans it: text of an agent cannot move the cursor. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export type Line = readonly Span[];

export const EMPTY: Line = [];

export function span(text: string, style?: Style): Span {
  return style === undefined ? { text: clean(text) } : { text: clean(text), style };
}

/** A line of spans. Strings become plain spans; false and undefined are dropped. */
export function line(...parts: (Span | string | false | undefined)[]): Line {
  const spans: Span[] = [];
  for (const part of parts) {
    if (part === false || part === undefined || part === '') continue;
    spans.push(typeof part === 'string' ? span(part) : part);
  }
  return spans;
}

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}

export function textOf(spans: Line): string {
  return spans.map(({ text }) => text).join('');
}

/** The line in exactly so many cells: cut with an ellipsis, or padded with spaces. */
export function fitWidth(spans: Line, cells: number, fill?: Style): Line {
  if (cells <= 0) return EMPTY;
  const width = lineWidth(spans);
  if (width <= cells) return width === cells ? spans : [...spans, { text: ' '.repeat(cells - width), style: fill }];
  const kept = head(spans, cells - 1);
  return fitWidth([...kept, { text: '…', style: spans.at(-1)?.style }], cells, fill);
}

/** The beginning of a line that fits. */
export function head(spans: Line, cells: number): Line {
  const kept: Span[] = [];
  let left = cells;
  for (const { text, style } of spans) {
    if (left <= 0) break;
    const part = cut(text, left);
    kept.push({ text: part.text, style });
    if (part.text.length < text.length) break;
    left -= part.width;
  }
  return kept;
}

/** The line with a base style. The spans' own styles win. */
export function withStyle(spans: Line, style: Style): Line {
  return spans.map((part) => ({ text: part.text, style: { ...style, ...part.style } }));
}

/** Two parts at the edges of so many cells. The left part is cut if both do not fit. */
export function spread(left: Line, right: Line, cells: number): Line {
  const room = cells - lineWidth(right);
  return room <= 0 ? fitWidth(right, cells) : [...fitWidth(left, room), ...right];
}

/** Wraps plain text at spaces. Its own line breaks stay. */
export function wrap(text: string, cells: number, style?: Style): Line[] {
  return text.split('\n').flatMap((paragraph) => wrapOne(clean(paragraph), Math.max(1, cells), style));
}

function wrapOne(paragraph: string, cells: number, style?: Style): Line[] {
  const lines: Line[] = [];
  let rest = paragraph;
  for (;;) {
    const piece = cut(rest, cells).text || [...rest.slice(0, 2)].slice(0, 1).join('');
    if (piece.length === rest.length) break;
    const space = rest.charAt(piece.length) === ' ' ? piece.length : piece.lastIndexOf(' ');
    const end = space > cells / 3 ? space : piece.length;
    lines.push([{ text: rest.slice(0, end), style }]);
    rest = rest.slice(end).replace(/^ /, '');
  }
  lines.push(rest === '' ? EMPTY : [{ text: rest, style }]);
  return lines;
}

/** The line without its first cells. Half of a wide character becomes a space. */
export function tail(spans: Line, cells: number): Line {
  const kept: Span[] = [];
  let skip = cells;
  for (const { text, style } of spans) {
    const gone = skip > 0 ? cut(text, skip) : { text: '', width: 0 };
    skip -= gone.width;
    let rest = text.slice(gone.text.length);
    if (rest !== '' && skip === 1) {
      rest = ` ${rest.slice([...rest].at(0)?.length ?? 0)}`;
      skip = 0;
    }
    if (rest !== '') kept.push({ text: rest, style });
  }
  return kept;
}

/** The end of a place says more than its beginning, so that is cut. */
export function endOf(place: Line, cells: number, cutStyle?: Style): Line {
  const more = lineWidth(place) - cells;
  return more <= 0 ? place : [span('…', cutStyle), ...tail(place, more + 1)];
}

/** Draws lines over others, with the upper left corner at row and column. */
export function overlayLines(under: readonly Line[], lines: readonly Line[], row: number, column: number): Line[] {
  const result = [...under];
  lines.forEach((laid, nth) => {
    const below = result[row + nth];
    if (below === undefined) return;
    const before = fitWidth(head(below, column), column);
    result[row + nth] = [...before, ...laid, ...tail(below, column + lineWidth(laid))];
  });
  return result;
}

/** Wraps a line of many styles at spaces, as `wrap` does with plain text. */
export function wrapLine(spans: Line, cells: number): Line[] {
  const room = Math.max(2, cells);
  const lines: Line[] = [];
  let rest = spans;
  while (lineWidth(rest) > room) {
    const piece = textOf(head(rest, room));
    const next = textOf(tail(rest, widthOf(piece)))[0];
    const space = next === ' ' ? piece.length : piece.lastIndexOf(' ');
    const end = space > piece.length / 3 ? space : piece.length;
    const width = widthOf(piece.slice(0, end));
    lines.push(head(rest, width));
    rest = tail(rest, width + (end === space ? 1 : 0));
  }
  return [...lines, rest.length === 0 ? EMPTY : rest];
}
