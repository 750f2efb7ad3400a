import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Style } from '../../../tui/text/line.ts';
import { PALETTES, type Palette, resolveStyle } from '../../../tui/text/palette.ts';
import { view } from '../../../tui/view.ts';
import { openFont } from './font.ts';
import { screenModel } from './screens.ts';

process.env.TZ = 'UTC';

/**
 * `npx tsx test/tui/captures/writeImages.ts`: the pictures of the documents, and the same on a light terminal. To look at others:
 * `… <directory> 80x24 runs approvals` writes these captures there.
 */
const FONTS = '/usr/share/fonts/truetype/dejavu';
const [WIDTH, HEIGHT, ASCENT] = [10, 20, 15.5];
const [directory, size = '120x36', ...names] = process.argv.slice(2);
const [columns = 0, rows = 0] = size.split('x').map(Number);
const SIZE = { columns, rows };
const OUT = directory ?? join(import.meta.dirname, '../../../docs/screens');
const PICTURES = ['runs', 'approvals', 'approval', 'approval-comments', 'approval-answers', 'session'];

type Rgb = readonly [number, number, number];
const SCHEMES = {
  dark: { ground: [22, 24, 28], text: [208, 210, 214], palette: PALETTES.dark },
  light: { ground: [255, 255, 255], text: [36, 38, 42], palette: PALETTES.light },
} as const satisfies Record<string, { ground: Rgb; text: Rgb; palette: Palette }>;
type Scheme = (typeof SCHEMES)[keyof typeof SCHEMES];
const BASIC: readonly Rgb[] = [
  ...([
    [0, 0, 0],
    [205, 66, 66],
    [92, 184, 92],
    [214, 168, 66],
    [86, 138, 222],
    [178, 102, 204],
  ] as const),
  ...([
    [80, 184, 196],
    [208, 210, 214],
    [110, 112, 118],
    [240, 96, 96],
    [126, 214, 126],
    [240, 206, 96],
  ] as const),
  ...([
    [120, 170, 250],
    [210, 140, 240],
    [120, 220, 230],
    [255, 255, 255],
  ] as const),
];

function colour(index: number | undefined, other: Rgb): Rgb {
  if (index === undefined) return other;
  if (index < 16) return BASIC[index] ?? other;
  if (index >= 232) return [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10];
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}

const fonts = { plain: open('DejaVuSansMono.ttf'), bold: open('DejaVuSansMono-Bold.ttf') };
const drawn = new Map<string, Float32Array>();

function open(name: string) {
  return openFont(join(FONTS, name), WIDTH, ASCENT);
}

function glyph(letter: string, weight: 'plain' | 'bold'): Float32Array {
  const key = `${weight} ${letter}`;
  const known = drawn.get(key) ?? fonts[weight].draw(letter, WIDTH, HEIGHT);
  drawn.set(key, known);
  return known;
}

function paint(name: string, scheme: Scheme): Buffer {
  const stride = SIZE.columns * WIDTH * 3 + 1;
  const pixels = Buffer.alloc(stride * SIZE.rows * HEIGHT);
  view(screenModel(name, SIZE)).forEach((line, row) => {
    let column = 0;
    for (const { text, style } of line) {
      for (const letter of text) putCell({ pixels, stride, scheme }, row, column++, letter, style);
    }
  });
  return png(SIZE.columns * WIDTH, SIZE.rows * HEIGHT, pixels);
}

interface Picture {
  pixels: Buffer;
  stride: number;
  scheme: Scheme;
}

function putCell(picture: Picture, row: number, column: number, letter: string, given: Style = {}): void {
  const { pixels, stride, scheme } = picture;
  const style = resolveStyle(given, scheme.palette);
  const pair = [colour(style.fg, scheme.text), colour(style.bg, scheme.ground)] as const;
  const [front, ground] = style.inverse ? [pair[1], pair[0]] : pair;
  const strength = style.dim ? 0.6 : 1;
  const cover = glyph(letter, style.bold ? 'bold' : 'plain');
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const line = style.underline && y === HEIGHT - 3 ? 1 : 0;
      const share = Math.min(1, Math.max(line, cover[y * WIDTH + x] ?? 0)) * strength;
      const at = (row * HEIGHT + y) * stride + 1 + (column * WIDTH + x) * 3;
      for (const part of [0, 1, 2] as const) pixels[at + part] = ground[part] + (front[part] - ground[part]) * share;
    }
  }
}

function png(width: number, height: number, pixels: Buffer): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = deflateSync(pixels, { level: 9 });
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

mkdirSync(OUT, { recursive: true });
for (const name of directory === undefined ? PICTURES : names) {
  writeFileSync(join(OUT, `${name}.png`), paint(name, SCHEMES.dark));
  writeFileSync(join(OUT, `${name}-light.png`), paint(name, SCHEMES.light));
}
