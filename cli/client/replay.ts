import type { IBuffer, IMarker } from '@xterm/headless';
import { rowText } from './replayLine.ts';

/** A terminal without a screen that a transcript is played into, to be read as a person would have seen it. */
export interface Replay {
  resize(columns: number, rows: number): void;
  /** The lines that left the screen by it: they will not change any more. */
  write(bytes: Uint8Array): Promise<string[]>;
  /** What stands on the screen, each row cut at so many columns. */
  screen(columns?: number): string[];
  /** The last lines: the screen, with rows that were one line joined. */
  end(): string[];
}

/** Between two looks no more lines can leave the screen than there are bytes, and so many are remembered. */
const LARGEST_WRITE = 16 * 1024;
const SCROLLBACK = LARGEST_WRITE + 1000;
/** What a pane of devflow has before its first resize is known. */
const SIZE = { cols: 160, rows: 45 };

/** Loads the terminal (190 KB, 20 ms), which no other command does. */
export async function openReplay({ color }: { color: boolean }): Promise<Replay> {
  const module = await import('@xterm/headless');
  // A CommonJS file whose exports Node does not see by name.
  const { Terminal } = 'default' in module ? (module.default as typeof module) : module;
  const terminal = new Terminal({ ...SIZE, scrollback: SCROLLBACK, allowProposedApi: true, logLevel: 'off' });
  const { normal, alternate } = terminal.buffer;
  /** The first line that was not given yet. */
  let top: IMarker | undefined;
  /** The rows of a line that is not all out of the screen. */
  let open = '';
  /** The last look of a full-screen program: when it leaves, its screen is gone. */
  let fullScreen: string[] = [];

  /** Programs pad their lines; what is in colour keeps its ground. */
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

  return {
    resize(columns, rows) {
      terminal.resize(columns, rows);
    },
    async write(bytes) {
      const lines: string[] = [];
      for (let from = 0; from < bytes.length; from += LARGEST_WRITE) {
        const part = bytes.subarray(from, from + LARGEST_WRITE);
        await new Promise<void>((done) => terminal.write(part, done));
        for (const line of takeLines()) lines.push(line);
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
