import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import program, { type BlessedProgram } from 'neo-blessed/lib/program.js';
import type { Size } from '../model/model.ts';
import type { Line } from '../text/line.ts';
import { paletteFor } from '../text/palette.ts';
import { ASK_BACKGROUND, backgroundOf } from './background.ts';
import type { BackgroundSetting } from './capabilities.ts';
import { createMouseFilter } from './mouseFilter.ts';
import { type Capabilities, createPainter, paintWhole } from './painter.ts';
import { createPasteFilter } from './pasteFilter.ts';
import { createReplyFilter } from './replyFilter.ts';
import { CLEAR, LEAVE, LISTEN, OPEN } from './sequences.ts';

export interface TerminalEvents {
  onKey(key: string): void;
  onPaste(text: string): void;
  onMouse(action: 'click' | 'up' | 'down', row: number, column: number): void;
  onResize(size: Size): void;
}

export interface Terminal {
  size(): Size;
  paint(lines: readonly Line[]): void;
  /** The bytes that open a terminal and paint these lines. */
  paintingOf(lines: readonly Line[]): string;
  /** Sends a sequence that paints nothing, such as the clipboard's. */
  send(sequence: string): void;
  /** True while another program has the terminal, and Ctrl-C is for that program. */
  isLent(): boolean;
  /** Lends the terminal to another program. Before and after, it is in its normal state. */
  lend<T>(to: () => Promise<T>): Promise<T>;
  /** Restores the terminal. Idempotent, and safe in an exit handler. */
  close(): void;
}

const WHEEL = { wheelup: 'up', wheeldown: 'down', mousedown: 'click' } as const;

/**
 * The only file that uses blessed: its program reads keys, mouse and sizes. Its widgets and terminfo are not loaded, which
 * halves the time to the first paint. The painter writes whole rows, with sequences that tmux and every usual terminal know.
 */
export function openTerminal(
  events: TerminalEvents,
  looks: Capabilities,
  tint: BackgroundSetting,
  hasOldFrame = false,
): Terminal {
  // Without TMUX, blessed does not start a tmux to ask for its version, which only unused features need.
  const { TMUX } = process.env;
  delete process.env.TMUX;
  const keyboard = new PassThrough();
  const blessed: BlessedProgram = new program({ input: keyboard, tput: false, resizeTimeout: 0 });
  if (TMUX !== undefined) process.env.TMUX = TMUX;
  const { stdout, stdin } = process;
  const decoder = new StringDecoder('utf8');
  const mouse = createMouseFilter((text) => keyboard.write(text));
  const filter = createPasteFilter({
    onTyped: (text) => mouse.push(text),
    onPasted: (text) => events.onPaste(text),
  });
  const replies = createReplyFilter({
    onTyped: (text) => filter.push(text),
    onReply(reply) {
      const background = tint.asks ? backgroundOf(reply) : undefined;
      if (background === undefined || background === shownOn) return;
      shownOn = background;
      painter.setPalette(paletteFor(background));
      if (!isLent && shown) paint(shown);
    },
  });
  const read = (bytes: Buffer): void => {
    if (!isLent) replies.push(decoder.write(bytes));
  };
  let shownOn = tint.background;
  const painter = createPainter(looks, paletteFor(shownOn));
  let shown: readonly Line[] | undefined;
  let isOpen = false;
  /** The launcher opened the terminal and painted it. */
  let isPainted = hasOldFrame;
  let isLent = false;
  let half = '';

  function enter(): void {
    if (isOpen) return;
    isOpen = true;
    painter.reset(!isPainted);
    stdout.write(isPainted ? LISTEN : `${OPEN}${LISTEN}${CLEAR}`);
    isPainted = false;
  }

  /** Nothing waits for the reply. It may come late or never. */
  function askBackground(): void {
    if (tint.asks) stdout.write(ASK_BACKGROUND);
  }

  function leave(): void {
    if (!isOpen) return;
    isOpen = false;
    stdout.write(LEAVE);
  }

  function paint(lines: readonly Line[]): void {
    if (isLent || !isOpen) return;
    shown = lines;
    const out = painter.paint(lines, size().columns);
    if (out !== '') stdout.write(out);
  }

  const size = (): Size => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  blessed.on('keypress', (letter: string | undefined, key: { full?: string; name?: string; shift?: boolean }) => {
    if (isLent) return;
    // A character above U+FFFF comes in two halves.
    const whole = half + (letter ?? '');
    half = isHalf(letter) && half === '' ? whole : '';
    if (half !== '') return;
    const name = keyOf(whole || undefined, key);
    if (name !== undefined) events.onKey(name);
  });
  blessed.on('mouse', ({ action, x, y }: { action: string; x: number; y: number }) => {
    if (!isLent && action in WHEEL) events.onMouse(WHEEL[action as keyof typeof WHEEL], y, x);
  });
  blessed.on('resize', () => {
    painter.reset();
    if (!isLent) events.onResize(size());
  });
  stdin.on('data', read);
  stdin.setRawMode?.(true);
  stdin.resume();
  enter();
  askBackground();

  return {
    size,
    paint,
    paintingOf: (lines) => paintWhole(lines, size().columns, looks, paletteFor(shownOn)),
    send(sequence) {
      if (isOpen) stdout.write(sequence);
    },
    isLent: () => isLent,
    async lend(to) {
      isLent = true;
      leave();
      stdin.setRawMode?.(false);
      stdin.pause();
      try {
        return await to();
      } finally {
        stdin.setRawMode?.(true);
        stdin.resume();
        isLent = false;
        enter();
        // The terminal or its theme may have changed meanwhile.
        askBackground();
        events.onResize(size());
      }
    },
    close() {
      leave();
      replies.close();
      stdin.off('data', read);
      stdin.setRawMode?.(false);
      stdin.pause();
      blessed.destroy();
    },
  };
}

function isHalf(letter: string | undefined): boolean {
  return letter !== undefined && letter >= '\ud800' && letter <= '\udbff';
}

/** The name of a key in bindings; undefined if it is not a key. */
function keyOf(letter: string | undefined, key: { full?: string; name?: string; shift?: boolean }): string | undefined {
  // blessed sends Enter twice, as `return` and `enter`.
  if (key.name === 'return') return undefined;
  if (key.name === 'space' || letter === ' ') return ' ';
  // Enter is a carriage return.
  if (key.name === 'linefeed') return 'C-j';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are not letters
  if (letter !== undefined && /^[^\u0000-\u001f\u007f]+$/u.test(letter) && [...letter].length === 1) return letter;
  return key.full;
}
