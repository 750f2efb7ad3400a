import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { openReplay, type Replay } from '../../client/replay/replay.ts';
import type { Io } from '../../io/io.ts';
import { paint } from '../output.ts';
import { visible } from '../text.ts';

export type Chunk = RpcResult<'session.transcript'>['chunks'][number];

/** Prints chunks as they come. */
export interface TranscriptView {
  show(chunks: readonly Chunk[]): Promise<void>;
  /** Prints what the screen still shows. */
  end(): Promise<void>;
}

function bytesOf({ content, base64 }: Chunk): Buffer {
  return base64 === undefined ? Buffer.from(content) : Buffer.from(base64, 'base64');
}

/** Groups consecutive output of the same kind of backend. Every other chunk is a group of one. */
function together(chunks: readonly Chunk[]): [Chunk, ...Chunk[]][] {
  const groups: [Chunk, ...Chunk[]][] = [];
  for (const chunk of chunks) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    const isAlike =
      first?.kind === 'output' && chunk.kind === 'output' && (first.endOffset === null) === (chunk.endOffset === null);
    if (last && isAlike) last.push(chunk);
    else groups.push([chunk]);
  }
  return groups;
}

/** The program's own bytes. */
export function rawView(io: Pick<Io, 'out'>): TranscriptView {
  return {
    async show(chunks) {
      for (const chunk of chunks) if (chunk.kind === 'output') io.out(bytesOf(chunk));
    },
    async end() {},
  };
}

/**
 * Prints the lines as a person would have seen them, by replaying the output in a terminal without a screen. A line is
 * printed when it scrolls off the screen. The screen itself comes last, and with `live` it is also shown while output comes.
 */
export function readableView(
  io: Pick<Io, 'out' | 'color' | 'columns' | 'rows'>,
  { live }: { live: boolean },
): TranscriptView {
  let replay: Replay | undefined;
  /** Rows of the live screen, to be painted over. */
  let painted = 0;

  /** Plays all bytes of a group at once, which is faster. */
  async function play(chunks: readonly [Chunk, ...Chunk[]]): Promise<string[]> {
    const [chunk] = chunks;
    replay ??= await openReplay(io);
    if (chunk.kind === 'output') return replay.write(Buffer.concat(chunks.map(bytesOf)));
    const [, columns, rows] = /^(\d+)x(\d+)$/.exec(chunk.content) ?? [];
    if (chunk.kind === 'resize' && columns) replay.resize(Number(columns), Number(rows));
    return chunk.kind === 'gap' ? [paint(io, 'dim', `[output missing: ${visible(chunk.content)}]`)] : [];
  }

  function print(lines: string[], screen: string[]): void {
    const over = painted > 0 ? `\u001b[${painted}A\r\u001b[J` : '';
    // Bytes, because `out` makes escape sequences in text visible.
    if (over !== '') io.out(Buffer.from(over));
    const text = [...lines, ...screen].map((line) => `${line}\n`).join('');
    if (text !== '') io.out(text);
    painted = screen.length;
  }

  return {
    async show(chunks) {
      for (const alike of together(chunks)) {
        const [first] = alike;
        // This backend has no terminal.
        if (first.endOffset === null) {
          io.out(visible(alike.map(({ content }) => content).join(''), 'text'));
          continue;
        }
        const lines = await play(alike);
        const screen = live && replay ? replay.screen(io.columns).slice(-((io.rows ?? 24) - 1)) : [];
        print(lines, screen);
      }
    },
    async end() {
      print(replay?.end() ?? [], []);
      replay = undefined;
    },
  };
}
