import { readFileSync } from 'node:fs';

/** The glyphs of a TrueType font as grey pixels: just what a picture of a terminal needs. */
export interface Font {
  /** Coverage, 0 to 1, of a cell whose baseline is `ascent` pixels from the top. */
  draw(letter: string, columns: number, rows: number): Float32Array;
}

type Point = { x: number; y: number; on: boolean };
type Edge = [x0: number, y0: number, x1: number, y1: number];
const FINE = 4;

export function openFont(file: string, pixelsPerCell: number, ascent: number): Font {
  const bytes = readFileSync(file);
  const tables = new Map<string, number>();
  for (let nth = 0; nth < bytes.readUInt16BE(4); nth += 1) {
    const at = 12 + nth * 16;
    tables.set(bytes.toString('latin1', at, at + 4), bytes.readUInt32BE(at + 8));
  }
  const table = (name: string) => tables.get(name) ?? 0;
  const isLong = bytes.readInt16BE(table('head') + 50) === 1;
  // Of the first glyph: all are of one width.
  const scale = pixelsPerCell / bytes.readUInt16BE(table('hmtx'));

  /** Of the character map of format 4, which has all that is needed here. */
  function glyphOf(code: number): number {
    const maps = table('cmap');
    for (let nth = 0; nth < bytes.readUInt16BE(maps + 2); nth += 1) {
      const at = maps + bytes.readUInt32BE(maps + 4 + nth * 8 + 4);
      if (bytes.readUInt16BE(at) !== 4) continue;
      const segments = bytes.readUInt16BE(at + 6);
      for (let by = 0; by < segments; by += 2) {
        if (code > bytes.readUInt16BE(at + 14 + by)) continue;
        const start = bytes.readUInt16BE(at + 16 + segments + by);
        if (code < start) return 0;
        const delta = bytes.readUInt16BE(at + 16 + 2 * segments + by);
        const rangeAt = at + 16 + 3 * segments + by;
        const range = bytes.readUInt16BE(rangeAt);
        const glyph = range === 0 ? code : bytes.readUInt16BE(rangeAt + range + 2 * (code - start));
        return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
      }
    }
    return 0;
  }

  function contoursOf(glyph: number): Point[][] {
    const loca = table('loca');
    const offset = (of: number) => (isLong ? bytes.readUInt32BE(loca + of * 4) : bytes.readUInt16BE(loca + of * 2) * 2);
    if (offset(glyph) === offset(glyph + 1)) return [];
    const at = table('glyf') + offset(glyph);
    const count = bytes.readInt16BE(at);
    return count < 0 ? composed(at + 10) : simple(at + 10, count);
  }

  function simple(from: number, count: number): Point[][] {
    const ends = Array.from({ length: count }, (_, nth) => bytes.readUInt16BE(from + nth * 2));
    const total = (ends.at(-1) ?? -1) + 1;
    let at = from + count * 2;
    at += 2 + bytes.readUInt16BE(at);
    const flags: number[] = [];
    while (flags.length < total) {
      const flag = bytes.readUInt8(at++);
      for (let times = flag & 8 ? bytes.readUInt8(at++) + 1 : 1; times > 0; times -= 1) flags.push(flag);
    }
    const axis = (short: number, same: number) => {
      let value = 0;
      return flags.map((flag) => {
        if (flag & short) value += (flag & same ? 1 : -1) * bytes.readUInt8(at++);
        else if (!(flag & same)) {
          value += bytes.readInt16BE(at);
          at += 2;
        }
        return value;
      });
    };
    const [xs, ys] = [axis(2, 16), axis(4, 32)];
    const points = flags.map((flag, nth): Point => ({ x: xs[nth] ?? 0, y: ys[nth] ?? 0, on: (flag & 1) === 1 }));
    return ends.map((end, nth) => points.slice(nth === 0 ? 0 : (ends[nth - 1] ?? 0) + 1, end + 1));
  }

  /** Accents over letters; they are moved and, in this font, hardly ever scaled. */
  function composed(from: number): Point[][] {
    const all: Point[][] = [];
    for (let at = from, more = true; more; ) {
      const flags = bytes.readUInt16BE(at);
      const wide = (flags & 1) === 1;
      const [dx, dy] = wide
        ? [bytes.readInt16BE(at + 4), bytes.readInt16BE(at + 6)]
        : [bytes.readInt8(at + 4), bytes.readInt8(at + 5)];
      const parts = contoursOf(bytes.readUInt16BE(at + 2));
      all.push(...parts.map((part) => part.map(({ x, y, on }) => ({ x: x + dx, y: y + dy, on }))));
      at += (wide ? 8 : 6) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0);
      more = (flags & 0x20) !== 0;
    }
    return all;
  }

  return {
    draw(letter, columns, rows) {
      const edges = contoursOf(glyphOf(letter.codePointAt(0) ?? 0)).flatMap((contour) => edgesOf(contour));
      const placed = edges.map(([a, b, c, d]): Edge => [a * scale, ascent - b * scale, c * scale, ascent - d * scale]);
      return filled(placed, columns, rows);
    },
  };
}

/** Quadratic curves, cut into short lines. */
function edgesOf(contour: readonly Point[]): Edge[] {
  const whole = contour.flatMap((point, nth): Point[] => {
    const next = contour[(nth + 1) % contour.length] ?? point;
    return point.on || next.on ? [point] : [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, on: true }];
  });
  const first = whole.findIndex(({ on }) => on);
  const turned = [...whole.slice(first), ...whole.slice(0, first + 1)];
  const edges: Edge[] = [];
  for (let nth = 0; nth + 1 < turned.length; ) {
    const [a, b, c] = turned.slice(nth, nth + 3) as [Point, Point, Point];
    nth += b.on ? 1 : 2;
    if (b.on) edges.push([a.x, a.y, b.x, b.y]);
    else {
      const on = (t: number, of: 'x' | 'y') => (1 - t) ** 2 * a[of] + 2 * t * (1 - t) * b[of] + t * t * c[of];
      for (let t = 0; t < 1; t += 0.125) edges.push([on(t, 'x'), on(t, 'y'), on(t + 0.125, 'x'), on(t + 0.125, 'y')]);
    }
  }
  return edges;
}

function filled(edges: readonly Edge[], columns: number, rows: number): Float32Array {
  const cell = new Float32Array(columns * rows);
  for (let fine = 0; fine < rows * FINE; fine += 1) {
    const y = (fine + 0.5) / FINE;
    const crossings = edges
      .filter(([, y0, , y1]) => y0 <= y !== y1 <= y)
      .map(([x0, y0, x1, y1]) => ({ x: x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), turn: y1 > y0 ? 1 : -1 }))
      .sort((a, b) => a.x - b.x);
    let winding = 0;
    crossings.forEach(({ x, turn }, nth) => {
      winding += turn;
      if (winding === 0) return;
      const end = crossings[nth + 1]?.x ?? x;
      for (let column = Math.max(0, Math.floor(x)); column < Math.min(columns, end); column += 1) {
        const covered = Math.min(end, column + 1) - Math.max(x, column);
        const at = Math.floor(fine / FINE) * columns + column;
        cell[at] = (cell[at] ?? 0) + Math.max(0, covered) / FINE;
      }
    });
  }
  return cell;
}
