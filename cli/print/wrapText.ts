import { cut } from '../client/textWidth.ts';

const LEAST_COLUMNS = 20;

/** Wraps one line of plain text at spaces. A word that is wider than the line is cut. */
export function wrapText(text: string, columns: number): string[] {
  const room = Math.max(LEAST_COLUMNS, columns);
  const lines: string[] = [];
  let rest = text;
  for (;;) {
    const piece = Number.isFinite(room) ? cut(rest, room).text : rest;
    if (piece.length === rest.length) return [...lines, rest];
    const space = rest.charAt(piece.length) === ' ' ? piece.length : piece.lastIndexOf(' ');
    const end = space > 0 ? space : piece.length;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
}
