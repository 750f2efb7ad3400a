import type { Client, ClientSubscription } from '../../cli/client/connect.ts';
import { openReplay, type Replay } from '../../cli/client/replay.ts';
import type { TranscriptChunk } from '../../schemas/rpc/views/session.ts';
import type { Transcript } from '../model/model.ts';
import { type Line, line, span } from '../text/line.ts';
import { sgrLine } from '../text/sgr.ts';
import { theme } from '../text/theme.ts';
import type { EventStream } from './eventStream.ts';

/** As many as are read at first: some megabytes, which is more than anybody scrolls back. */
const FIRST_CHUNKS = 40;
const PAGE = 50;
/** Lines kept; the oldest are forgotten. */
const MOST_LINES = 20_000;

/** Follows what an agent's pane shows, played into a terminal of its own so that colours and cursor moves come out right. */
export function followTranscript(
  who: { sessionId: string; runId: string },
  onTranscript: (transcript: Transcript) => void,
): EventStream {
  const { sessionId, runId } = who;
  let current: Client | undefined;
  let subscription: ClientSubscription | undefined;
  let replay: Replay | undefined;
  let lines: Line[] = [];
  let lastSeq: number | undefined;
  /** One reading at a time; what is told meanwhile is read afterwards. */
  let isReading = false;
  let isStale = false;

  async function play(chunk: TranscriptChunk): Promise<void> {
    if (chunk.endOffset === null) return keep(chunk.content.split('\n').filter(Boolean).map(sgrLine));
    if (chunk.kind === 'gap') return keep([line(span(`[output is missing here: ${chunk.content}]`, theme.warn))]);
    replay ??= await openReplay({ color: true });
    const [, columns, rows] = /^(\d+)x(\d+)$/.exec(chunk.content) ?? [];
    if (chunk.kind === 'resize') {
      if (columns && rows) replay.resize(Number(columns), Number(rows));
      return;
    }
    const { content, base64 } = chunk;
    keep(
      (await replay.write(base64 === undefined ? Buffer.from(content) : Buffer.from(base64, 'base64'))).map(sgrLine),
    );
  }

  function keep(more: readonly Line[]): void {
    for (const each of more) lines.push(each);
    if (lines.length > MOST_LINES) lines = lines.slice(-MOST_LINES);
  }

  function tell(complete: boolean): void {
    const all = [...lines, ...(replay?.screen() ?? []).map(sgrLine)];
    onTranscript({ lines: all, count: all.length, complete });
  }

  async function readOn(by: Client): Promise<void> {
    for (let more = true; more && by === current; ) {
      const from = lastSeq === undefined ? { tail: FIRST_CHUNKS } : { afterSeq: lastSeq, limit: PAGE };
      const page = await by.call('session.transcript', { sessionId, ...from });
      if (by !== current) return;
      for (const chunk of page.chunks) await play(chunk);
      lastSeq = page.lastSeq;
      more = page.more && page.chunks.length > 0;
      tell(!more);
    }
  }

  async function refresh(): Promise<void> {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale && current) {
      isStale = false;
      // A connection that is gone is told of by the link, which brings another.
      await readOn(current).catch(() => {});
    }
    isReading = false;
  }

  return {
    use(client) {
      current = client;
      if (!client) return;
      client
        .subscribe({ runId, kinds: ['transcript.chunk_appended'] }, (notification) => {
          if (notification.event !== 'transcript.chunk_appended' || notification.data.sessionId !== sessionId) return;
          if (client === current) void refresh();
        })
        .then((opened) => {
          if (client === current) subscription = opened;
          else void opened.close().catch(() => {});
        })
        .catch(() => {});
      void refresh();
    },
    close() {
      current = undefined;
      void subscription?.close().catch(() => {});
    },
  };
}
