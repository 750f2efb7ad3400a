import type { RpcResult } from '../schemas/rpc/methods/index.ts';
import { openReplay, type Replay } from './client/replay.ts';
import type { Io } from './io.ts';
import { paint } from './output.ts';
import { visible } from './text.ts';

export type Chunk = RpcResult<'session.transcript'>['chunks'][number];

/** Shows chunks as they come. */
export interface TranscriptView {
  show(chunk: Chunk): Promise<void>;
  /** What the screen still holds. */
  end(): Promise<void>;
}

export function bytesOf({ content, base64 }: Chunk): Buffer {
  return base64 === undefined ? Buffer.from(content) : Buffer.from(base64, 'base64');
}

/** The program's own bytes. */
export function rawView(io: Pick<Io, 'out'>): TranscriptView {
  return {
    async show(chunk) {
      if (chunk.kind === 'output') io.out(bytesOf(chunk));
    },
    async end() {},
  };
}

/**
 * The lines that a person would have read: what went through a terminal is played into one. Lines are printed once they
 * have left the screen; the screen itself at the end, and with `live` also while it goes on, below the lines.
 */
export function readableView(
  io: Pick<Io, 'out' | 'color' | 'columns' | 'rows'>,
  { live }: { live: boolean },
): TranscriptView {
  let replay: Replay | undefined;
  /** Rows of the screen that stand below the lines, to be painted over. */
  let painted = 0;

  async function play(chunk: Chunk): Promise<string[]> {
    replay ??= await openReplay(io);
    if (chunk.kind === 'output') return replay.write(bytesOf(chunk));
    const [, columns, rows] = /^(\d+)x(\d+)$/.exec(chunk.content) ?? [];
    if (chunk.kind === 'resize' && columns) replay.resize(Number(columns), Number(rows));
    return chunk.kind === 'gap' ? [paint(io, 'dim', `[output is missing here: ${visible(chunk.content)}]`)] : [];
  }

  function print(lines: string[], screen: string[]): void {
    const over = painted > 0 ? `\u001b[${painted}A\r\u001b[J` : '';
    // Bytes, not text: of text the terminal gets no sequence but colours.
    if (over !== '') io.out(Buffer.from(over));
    const text = [...lines, ...screen].map((line) => `${line}\n`).join('');
    if (text !== '') io.out(text);
    painted = screen.length;
  }

  return {
    async show(chunk) {
      // Of a backend without a terminal.
      if (chunk.endOffset === null) return io.out(visible(chunk.content, 'text'));
      const lines = await play(chunk);
      const screen = live && replay ? replay.screen(io.columns).slice(-((io.rows ?? 24) - 1)) : [];
      print(lines, screen);
    },
    async end() {
      print(replay?.end() ?? [], []);
      replay = undefined;
    },
  };
}
