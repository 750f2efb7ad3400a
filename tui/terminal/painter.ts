import { cellsOf, widthOf } from '../../cli/client/textWidth.ts';
import { fitWidth, type Line, type Style } from '../text/line.ts';
import { PALETTES, type Palette, resolveStyle } from '../text/palette.ts';

/** What a terminal can show. */
export interface Capabilities {
  /** 0 means none (NO_COLOR, a monochrome terminal). */
  readonly colors: 0 | 8 | 256;
  /** False where only ASCII comes out right (locale C). */
  readonly unicode: boolean;
}

const ESC = '\u001b[';
/** The first grey of the 256 colours. */
const GREYS = 232;

/** Makes the output that brings the terminal to the given lines. It writes only rows that changed. */
export interface Painter {
  paint(lines: readonly Line[], columns: number): string;
  /** The terminal was cleared: paint every row again. */
  reset(): void;
  /** Changes the colours, and paints every row again. */
  setPalette(palette: Palette): void;
}

export function createPainter(looks: Capabilities, colors: Palette = PALETTES.dark): Painter {
  let shown: string[] = [];
  let palette = colors;
  return {
    paint(lines, columns) {
      let out = '';
      lines.forEach((each, row) => {
        const text = encode(fitWidth(each, columns), { ...looks, palette }, columns);
        if (shown[row] === text) return;
        shown[row] = text;
        // Nothing is erased behind the row: it is as wide as the terminal, and xterm would erase its last cell.
        out += `${ESC}${row + 1};1H${text}${ESC}m`;
      });
      shown.length = lines.length;
      return out;
    },
    reset() {
      shown = [];
    },
    setPalette(other) {
      palette = other;
      shown = [];
    },
  };
}

/** Text that all terminals measure alike: ASCII, Latin-1, and the signs that devflow draws with. */
const CERTAIN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff\u2500-\u257f…●○◌✓✗▌▶▸▾→↑↓·—–]*$/;

/**
 * The row as the terminal gets it; `span` has cleaned its text. After text that terminals measure differently it sets the
 * column, so that the rest of the row stays in place. Such a row is erased first.
 */
function encode(spans: Line, looks: Capabilities & { palette: Palette }, columns: number): string {
  let text = '';
  let before = '';
  let column = 1;
  let isUncertain = false;
  for (const each of spans) {
    const next = sgr(each.style, looks);
    if (next !== before) text += `${ESC}0${next}m`;
    before = next;
    text += looks.unicode ? each.text : ascii(each.text);
    column += widthOf(each.text);
    if (!looks.unicode || CERTAIN.test(each.text)) continue;
    isUncertain = true;
    if (column <= columns) text += `${ESC}${column}G`;
  }
  return isUncertain ? `${ESC}m${ESC}2K${text}` : text;
}

function sgr(style: Style | undefined, { colors, palette }: Capabilities & { palette: Palette }): string {
  if (!style) return '';
  const { bold, dim, underline, inverse, fg, bg } = resolveStyle(style, palette);
  // Without a grey or any colour, reverse video marks a background.
  const isGrey = colors === 8 && bg !== undefined && bg >= GREYS;
  const isReverse = isGrey ? !inverse : inverse || (colors === 0 && bg !== undefined && bold);
  const flags = `${bold ? ';1' : ''}${dim ? ';2' : ''}${underline ? ';4' : ''}${isReverse ? ';7' : ''}`;
  return `${flags}${color(3, fg, colors)}${color(4, bg, colors)}`;
}

function color(base: 3 | 4, value: number | undefined, colors: Capabilities['colors']): string {
  if (value === undefined || colors === 0 || !(Number.isInteger(value) && value >= 0 && value < 256)) return '';
  if (colors === 256) return value < 8 ? `;${base}${value}` : `;${base}8;5;${value}`;
  // A grey becomes the terminal's own colour; any other becomes the nearest of eight.
  if (value >= GREYS) return '';
  return `;${base}${value < 8 ? value : value < 16 ? value - 8 : cube(value - 16)}`;
}

function cube(value: number): number {
  const [red, green, blue] = [Math.floor(value / 36), Math.floor(value / 6) % 6, value % 6];
  return (red > 2 ? 1 : 0) + (green > 2 ? 2 : 0) + (blue > 2 ? 4 : 0);
}

const UPPER_DOTS = 0b0001_1011;

const PLAIN: Readonly<Record<string, string>> = {
  '…': '.',
  '│': '|',
  '─': '-',
  '╭': '+',
  '╮': '+',
  '╰': '+',
  '╯': '+',
  '├': '+',
  '└': '+',
  '┌': '+',
  '┐': '+',
  '┘': '+',
  '●': '*',
  '○': 'o',
  '◌': '.',
  '✓': '+',
  '✗': 'x',
  '▌': '>',
  '▶': '>',
  '▸': '>',
  '▾': 'v',
  '→': '>',
  '↑': '^',
  '↓': 'v',
  '·': '.',
  '—': '-',
  '–': '-',
  '━': '=',
};

/** A cell of a curve: its dots are in the upper or the lower half. */
function brailleDots(letter: string): string | undefined {
  if (!/[\u2801-\u28ff]/.test(letter)) return undefined;
  const dots = letter.charCodeAt(0) & 0xff;
  return (dots & UPPER_DOTS) === 0 ? '.' : "'";
}

function ascii(text: string): string {
  return text.replaceAll(
    /[^\x20-\x7e]/gu,
    (letter) => PLAIN[letter] ?? brailleDots(letter) ?? '?'.repeat(cellsOf(letter)),
  );
}
