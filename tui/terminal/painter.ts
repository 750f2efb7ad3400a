import { cellsOf, widthOf } from '../../cli/client/textWidth.ts';
import { EMPTY, fitWidth, type Line, lineWidth, type Style } from '../text/line.ts';
import { PALETTES, type Palette, resolveStyle } from '../text/palette.ts';
import { CLEAR, HOME, OPEN } from './sequences.ts';

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
  /** Paint every row again. `isBlank`: the terminal was cleared, and blanks need not be written. */
  reset(isBlank?: boolean): void;
  /** Changes the colours, and paints every row again. */
  setPalette(palette: Palette): void;
}

export function createPainter(looks: Capabilities, colors: Palette = PALETTES.dark): Painter {
  let shown: Line[] = [];
  let palette = colors;
  let blank = false;
  return {
    paint(lines, columns) {
      let out = '';
      const all = { ...looks, palette };
      lines.forEach((each, row) => {
        const spans = fitWidth(each, columns);
        const before = shown[row];
        shown[row] = spans;
        if (before === undefined) {
          out += `${ESC}${row + 1};1H${encode(spans, all, columns, blank)}`;
          return;
        }
        const same = sameSpans(before, spans);
        if (same === spans.length && same === before.length) return;
        // Where a terminal may measure differently, only a whole row is sure to be right.
        const kept = looks.unicode && isCertain(before) && isCertain(spans) ? spans.slice(0, same) : EMPTY;
        const rest = kept.length === 0 ? spans : spans.slice(same);
        out += `${ESC}${row + 1};${lineWidth(kept) + 1}H${encode(rest, all, columns, false)}`;
      });
      shown.length = lines.length;
      blank = false;
      return out;
    },
    reset(isBlank = false) {
      shown = [];
      blank = isBlank;
    },
    setPalette(other) {
      palette = other;
      shown = [];
      blank = false;
    },
  };
}

/**
 * The bytes that open a terminal and paint these lines. `bin/devflow` prints a file only if it has this form, so change
 * `print_frame` there with it. At the end the cursor is at the top: the newline that `grep` adds must not scroll.
 */
export function paintWhole(lines: readonly Line[], columns: number, looks: Capabilities, colors?: Palette): string {
  const painter = createPainter(looks, colors);
  painter.reset(true);
  return `${OPEN}${CLEAR}${painter.paint(lines, columns)}${HOME}`;
}

/** Text that all terminals measure alike: ASCII, Latin-1, and the signs that devflow draws with. */
const CERTAIN = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u00ff\u2500-\u257f…●○◌✓✗▌▶▸▾→↑↓·—–]*$/;

/** Fewer blanks at the end of a row than this are as short as the sequence that erases them. */
const LEAST_ERASED = 4;
const BLANKS = / {8,}/g;

/**
 * The row as the terminal gets it; `span` has cleaned its text. Each byte counts: tmux reads a painting in pieces of 4 KB, and
 * the dashboard waits for it. So blanks at the end are erased, and `onBlank` skips all others that it can. After text that terminals measure differently it sets the
 * column, so that the rest of the row stays in place. Such a row is erased first.
 */
function encode(spans: Line, looks: Capabilities & { palette: Palette }, columns: number, onBlank: boolean): string {
  let text = '';
  let before = '';
  let column = 1;
  let isUncertain = false;
  for (const each of spans) {
    const next = sgr(each.style, looks);
    if (next !== before) text += `${ESC}0${next}m`;
    before = next;
    const letters = looks.unicode ? each.text : ascii(each.text);
    text += onBlank && next === '' ? letters.replace(BLANKS, (blanks) => `${ESC}${blanks.length}C`) : letters;
    column += widthOf(each.text);
    if (!looks.unicode || CERTAIN.test(each.text)) continue;
    isUncertain = true;
    if (column <= columns) text += `${ESC}${column}G`;
  }
  const kept = before === '' ? withoutBlanks(text) : text;
  // Never behind a full row, where a terminal such as xterm would erase the last cell.
  const end = text.length - kept.length >= LEAST_ERASED ? `${kept}${ESC}m${ESC}K` : `${text}${ESC}m`;
  return isUncertain ? `${ESC}m${ESC}2K${end}` : end;
}

/** A regular expression would try each blank of the row. */
function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end -= 1;
  return text.slice(0, end);
}

/** The number of leading spans that both rows share. */
function sameSpans(before: Line, after: Line): number {
  const length = Math.min(before.length, after.length);
  for (let nth = 0; nth < length; nth += 1) {
    const [a, b] = [before[nth], after[nth]];
    if (a?.text !== b?.text || !isSameStyle(a?.style, b?.style)) return nth;
  }
  return length;
}

function isSameStyle(a: Style | undefined, b: Style | undefined): boolean {
  if (a === b) return true;
  const [one, two] = [a ?? PLAIN_STYLE, b ?? PLAIN_STYLE];
  return STYLE_NAMES.every((name) => one[name] === two[name]);
}

const PLAIN_STYLE: Style = {};
const STYLE_NAMES = ['fg', 'bg', 'bold', 'dim', 'underline', 'inverse'] as const satisfies (keyof Style)[];

function isCertain(spans: Line): boolean {
  return spans.every(({ text }) => CERTAIN.test(text));
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
