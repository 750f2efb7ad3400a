import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import program, { type BlessedProgram } from 'neo-blessed/lib/program.js';
import type { Size } from '../model/model.ts';
import type { Line } from '../text/line.ts';
import { paletteFor } from '../text/palette.ts';
import { ASK_BACKGROUND, backgroundOf } from './background.ts';
import type { BackgroundSetting } from './capabilities.ts';
import { type Capabilities, createPainter } from './painter.ts';
import { createPasteFilter } from './pasteFilter.ts';
import { createReplyFilter } from './replyFilter.ts';

export interface TerminalEvents {
  onKey(key: string): void;
  onPaste(text: string): void;
  onMouse(action: 'click' | 'up' | 'down', row: number, column: number): void;
  onResize(size: Size): void;
}

export interface Terminal {
  size(): Size;
  paint(lines: readonly Line[]): void;
  /** A sequence that shows nothing: the clipboard's. */
  send(sequence: string): void;
  /** True while another program has it: the keys that end a program are for that one. */
  isLent(): boolean;
  /** Lends the terminal to another program; it is as it was before and after. */
  lend<T>(to: () => Promise<T>): Promise<T>;
  /** Gives the terminal back as it was found. Idempotent, and safe in an exit handler. */
  close(): void;
}

const WHEEL = { wheelup: 'up', wheeldown: 'down', mousedown: 'click' } as const;
// Rows never wrap: what a terminal takes for wider than it is must not spill into the next.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?1000h\u001b[?1006h\u001b[?2004h\u001b[2J';
const LEAVE = '\u001b[?2004l\u001b[?1006l\u001b[?1000l\u001b[m\u001b[?7h\u001b[?25h\u001b[?1049l';

/**
 * The one place that knows blessed. Its program reads keys, mouse and sizes; of its widgets and its terminfo nothing is
 * loaded, which halves the time to the first paint: what is painted is whole rows of text, in sequences that every terminal
 * of this century and tmux itself understand.
 */
export function openTerminal(events: TerminalEvents, looks: Capabilities, tint: BackgroundSetting): Terminal {
  // It would spawn a tmux to ask for its version, which only matters for capabilities that are not used here.
  const { TMUX } = process.env;
  delete process.env.TMUX;
  const keyboard = new PassThrough();
  const blessed: BlessedProgram = new program({ input: keyboard, tput: false, resizeTimeout: 0 });
  if (TMUX !== undefined) process.env.TMUX = TMUX;
  const { stdout, stdin } = process;
  const decoder = new StringDecoder('utf8');
  const filter = createPasteFilter({
    onTyped: (text) => keyboard.write(text),
    onPasted: (text) => events.onPaste(text),
  });
  const answers = createReplyFilter({
    onTyped: (text) => filter.push(text),
    onAnswer(answer) {
      const background = tint.asks ? backgroundOf(answer) : undefined;
      if (background === undefined || background === shownOn) return;
      shownOn = background;
      painter.setPalette(paletteFor(background));
      if (!isLent && shown) paint(shown);
    },
  });
  const read = (bytes: Buffer): void => {
    if (!isLent) answers.push(decoder.write(bytes));
  };
  let shownOn = tint.background;
  const painter = createPainter(looks, paletteFor(shownOn));
  let shown: readonly Line[] | undefined;
  let isOpen = false;
  let isLent = false;
  let half = '';

  function enter(): void {
    if (isOpen) return;
    isOpen = true;
    painter.reset();
    stdout.write(ENTER);
  }

  /** Nobody waits for the answer: what comes late, or never, is no matter. */
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
    // A character beyond the first 65,536 comes in two halves.
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
        // One comes back to another terminal perhaps, or the theme is another.
        askBackground();
        events.onResize(size());
      }
    },
    close() {
      leave();
      answers.close();
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

/** A key by the name that bindings use; undefined for what is none. */
function keyOf(letter: string | undefined, key: { full?: string; name?: string; shift?: boolean }): string | undefined {
  // Sent twice, under both names.
  if (key.name === 'return') return undefined;
  if (key.name === 'space' || letter === ' ') return ' ';
  if (key.name === 'linefeed') return 'enter';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are not letters
  if (letter !== undefined && /^[^\u0000-\u001f\u007f]+$/u.test(letter) && [...letter].length === 1) return letter;
  return key.full;
}
