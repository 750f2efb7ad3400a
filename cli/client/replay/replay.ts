import type { IBuffer, IMarker } from '@xterm/headless';
import { type LineStyle, plainStyle } from './lineStyle.ts';
import { rowText } from './rowText.ts';
import { mayShowOtherLetters, type SimpleRun, simpleRun } from './simpleLines.ts';

/** A terminal without a screen. It replays a transcript, so that a person reads what they would have seen. */
export interface Replay {
  resize(columns: number, rows: number): void;
  /** Returns the lines that scrolled off the screen. They no longer change. */
  write(bytes: Uint8Array): Promise<string[]>;
  /** The rows of the screen, each cut at so many columns. */
  screen(columns?: number): string[];
  /** The last lines: the screen, with wrapped rows joined. */
  end(): string[];
}

/** One write scrolls off at most as many lines as it has bytes. The scrollback holds them all. */
const LARGEST_WRITE = 16 * 1024;
const SCROLLBACK = LARGEST_WRITE + 1000;
/** For less output, the search for simple lines takes longer than it saves. */
const LEAST_SIMPLE = 16 * 1024;
const FIRST_LOOK = 16 * 1024;
const NEWLINE = 10;
/** The size of a devflow pane before its first resize. */
const SIZE = { cols: 160, rows: 45 };

/** Loads the terminal library on demand, because it takes 20 ms and no other command needs it. */
export async function openReplay({ color }: { color: boolean }): Promise<Replay> {
  const module = await import('@xterm/headless');
  // A CommonJS file: Node does not see its exports by name.
  const { Terminal } = 'default' in module ? (module.default as typeof module) : module;
  const terminal = new Terminal({ ...SIZE, scrollback: SCROLLBACK, allowProposedApi: true, logLevel: 'off' });
  const { normal, alternate } = terminal.buffer;
  /** The first line that was not returned yet. */
  let top: IMarker | undefined;
  /** The beginning of a line that is still partly on the screen. */
  let open = '';
  /** A program selected another character set, so printed bytes and shown letters differ. */
  let otherLetters = false;
  /** The assumed style of simple lines. Their first screen shows whether that is right. */
  const style: LineStyle = plainStyle();
  /** The last screen of a full-screen program. The terminal drops it when the program ends. */
  let fullScreen: string[] = [];

  /** Removes padding, but keeps a coloured background. */
  function finished(line: string): string {
    return color ? line : line.trimEnd();
  }

  function isFullScreen(): boolean {
    return terminal.buffer.active.type === 'alternate';
  }

  function takeLines(): string[] {
    if (isFullScreen()) {
      fullScreen = rows(alternate, alternate.baseY, alternate.length, { color });
      return [];
    }
    const given: string[] = fullScreen.splice(0);
    for (let row = Math.max(0, top?.line ?? 0); row < normal.baseY; row += 1) {
      const line = normal.getLine(row);
      if (line === undefined) continue;
      open += rowText(line, { color });
      if (normal.getLine(row + 1)?.isWrapped) continue;
      given.push(finished(open));
      open = '';
    }
    top?.dispose();
    top = terminal.registerMarker(-normal.cursorY);
    return given;
  }

  function play(part: Uint8Array): Promise<void> {
    return new Promise((done) => terminal.write(part, done));
  }

  function simpleLinesAt(printed: Buffer, from: number): SimpleRun | undefined {
    if (otherLetters || printed.length - from < LEAST_SIMPLE || !isAtLineStart()) return undefined;
    const { cols: columns, rows } = terminal;
    const look = (bytes: number) =>
      simpleRun(printed.toString('utf8', from, from + bytes), { columns, rows, color, start: style });
    // Most output that is not simple shows that early. Look further only if everything so far was simple.
    let run = look(FIRST_LOOK);
    for (let bytes = FIRST_LOOK; run && run.bytes > bytes / 2 && bytes < printed.length - from; ) {
      bytes *= 8;
      run = look(bytes);
    }
    return run;
  }

  function isAtLineStart(): boolean {
    return !isFullScreen() && normal.cursorX === 0;
  }

  /**
   * Plays the first and the last screen of the lines. The lines between skip a terminal that shows the first screen
   * exactly as written: it would show them unchanged, too.
   */
  async function scroll(part: Uint8Array, { lines, head, tail, tailStyle }: SimpleRun): Promise<string[]> {
    const { rows: height } = terminal;
    await play(part.subarray(0, head));
    const given = takeLines();
    const shown = lines.slice(1, height);
    const isPlain =
      isAtLineStart() &&
      normal.cursorY === height - 1 &&
      shown.some((line) => line !== '') &&
      shown.every((line, row) => rowAt(row) === line);
    const from = isPlain ? part.length - tail : head;
    if (isPlain) {
      for (const line of lines.slice(1, -height)) given.push(line);
      // The skipped lines end in this style.
      await play(Buffer.from(`\u001b[0;${tailStyle.text}m`));
      top?.dispose();
      top = terminal.registerMarker(0);
    }
    for (let at = from; at < part.length; at += LARGEST_WRITE) {
      await play(part.subarray(at, at + LARGEST_WRITE));
      for (const line of takeLines()) given.push(line);
    }
    return given;
  }

  function rowAt(row: number): string | undefined {
    const line = normal.getLine(normal.baseY + row);
    return line && rowText(line, { color });
  }

  return {
    resize(columns, rows) {
      terminal.resize(columns, rows);
    },
    async write(bytes) {
      const lines: string[] = [];
      const keep = (more: readonly string[]) => {
        for (const line of more) lines.push(line);
      };
      const printed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let from = 0; from < bytes.length; ) {
        const run = simpleLinesAt(printed, from);
        if (run) {
          keep(await scroll(bytes.subarray(from, from + run.bytes), run));
          from += run.bytes;
          continue;
        }
        // Stop at the end of a line: many simple lines may follow.
        const newline = printed.indexOf(NEWLINE, from + (isAtLineStart() ? LARGEST_WRITE / 2 : 0));
        const end = Math.min(from + LARGEST_WRITE, newline < 0 ? printed.length : newline + 1);
        otherLetters ||= mayShowOtherLetters(printed.toString('latin1', from, end));
        await play(bytes.subarray(from, end));
        keep(takeLines());
        from = end;
      }
      return lines;
    },
    screen(columns) {
      const buffer = terminal.buffer.active;
      return rows(buffer, buffer.baseY, buffer.length, { color, columns });
    },
    end() {
      const buffer = terminal.buffer.active;
      const last: string[] = [];
      for (let row = buffer.baseY; row < buffer.length; row += 1) {
        const line = buffer.getLine(row);
        if (line === undefined) continue;
        open += rowText(line, { color });
        if (buffer.getLine(row + 1)?.isWrapped) continue;
        last.push(finished(open));
        open = '';
      }
      terminal.dispose();
      return withoutEmptyEnd(last);
    },
  };
}

function rows(buffer: IBuffer, from: number, to: number, options: { color: boolean; columns?: number }): string[] {
  const lines: string[] = [];
  for (let row = from; row < to; row += 1) {
    const line = buffer.getLine(row);
    if (line !== undefined) lines.push(rowText(line, options));
  }
  return withoutEmptyEnd(lines);
}

function withoutEmptyEnd(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}
