import { openReplay, type Replay } from '../../cli/client/replay/replay.ts';
import type { TranscriptChunk } from '../../schemas/rpc/views/session.ts';
import { counted } from '../../schemas/text/phrases.ts';
import type { Transcript } from '../model/model.ts';
import { type Line, line, span } from '../text/line.ts';
import { sgrLine } from '../text/sgr.ts';
import { theme } from '../text/theme.ts';

/** Replays the output of a pane in an emulated terminal, so that colours and cursor moves come out right. */
export interface TranscriptPlayer {
  play(chunk: TranscriptChunk): Promise<void>;
  /** Starts over: the next chunk does not continue the last one. */
  skip(chunks: number): void;
  /** The lines that scrolled off, oldest first, and the screen. */
  seen(): Pick<Transcript, 'lines' | 'count'>;
  close(): void;
}

/** Older lines are dropped. */
export const MOST_LINES = 20_000;
/** Drops this many lines at once, because each drop copies all others. */
const SPARE_LINES = 2_000;
/** A piece takes some milliseconds. Between two pieces, keys are handled. */
const LARGEST_PIECE = 8 * 1024;
const MOST_LINES_A_PIECE = 400;
const NEWLINE = 10;

export function createPlayer(): TranscriptPlayer {
  let replay: Replay | undefined;
  let size: [columns: number, rows: number] | undefined;
  let lines: Line[] = [];
  let closed = false;

  function keep(more: readonly Line[]): void {
    for (const each of more) lines.push(each);
    if (lines.length > MOST_LINES + SPARE_LINES) lines = lines.slice(-MOST_LINES);
  }

  async function opened(): Promise<Replay> {
    if (replay) return replay;
    replay = await openReplay({ color: true });
    if (size) replay.resize(...size);
    return replay;
  }

  return {
    async play({ kind, content, base64, endOffset }) {
      // A backend without a terminal sends whole lines.
      if (endOffset === null) return keep(content.split('\n').filter(Boolean).map(sgrLine));
      if (kind === 'gap') return keep([line(span(`[output missing: ${content}]`, theme.warn))]);
      if (kind === 'resize') {
        const [, columns, rows] = /^(\d+)x(\d+)$/.exec(content) ?? [];
        if (!columns || !rows) return;
        size = [Number(columns), Number(rows)];
        replay?.resize(...size);
        return;
      }
      const terminal = await opened();
      for (const piece of pieces(base64 === undefined ? Buffer.from(content) : Buffer.from(base64, 'base64'))) {
        if (closed) return;
        keep((await terminal.write(piece)).map(sgrLine));
      }
    },
    skip(chunks) {
      keep((replay?.end() ?? []).map(sgrLine));
      replay = undefined;
      keep([line(span(`[skipped to keep up: ${counted(chunks, 'piece')}]`, theme.warn))]);
    },
    seen() {
      const all = [...lines, ...(replay?.screen() ?? []).map(sgrLine)];
      return { lines: all, count: all.length };
    },
    close() {
      closed = true;
      replay?.end();
      replay = undefined;
    },
  };
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === NEWLINE) count += 1;
    if (count < MOST_LINES_A_PIECE && at - from + 1 < LARGEST_PIECE) continue;
    yield bytes.subarray(from, at + 1);
    from = at + 1;
    count = 0;
  }
  if (from < bytes.length) yield bytes.subarray(from);
}
