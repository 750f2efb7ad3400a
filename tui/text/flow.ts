import { widthOf } from '../../cli/client/textWidth.ts';
import { EMPTY, head, type Line, lineWidth, tail, textOf } from './line.ts';

/** A line of many looks in lines of at most so many cells, broken at spaces where there are any. What `wrap` does to plain text. */
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
