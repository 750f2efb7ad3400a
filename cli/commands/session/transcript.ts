import type { Client } from '../../client/connect.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Session } from '../../define/session.ts';
import { untilInterrupted } from '../../io/interrupt.ts';
import type { Io } from '../../io/io.ts';
import { jsonArrayPrinter, printJsonLine } from '../../print/output.ts';
import { type Chunk, rawView, readableView, type TranscriptView } from '../../print/run/transcriptView.ts';

export const action: Session['transcript'] = async (params, { json, follow, raw }, io) =>
  withDaemon(io, async (client) => {
    const { sessionId, runId } = await client.call('session.get', params);
    if (json && !follow) {
      const array = jsonArrayPrinter(io);
      await readAfter(client, sessionId, 0, async (chunks) => chunks.forEach(array.print), io);
      array.end();
      return 0;
    }
    const jsonLines: TranscriptView = {
      show: async (chunks) => {
        for (const chunk of chunks) printJsonLine(io, chunk);
      },
      end: async () => {},
    };
    const live = follow === true && io.outIsTty;
    const view = json ? jsonLines : raw ? rawView(io) : readableView(io, { live });
    try {
      if (!follow) await readAfter(client, sessionId, 0, view.show, io);
      else await followSession(client, { sessionId, runId }, view.show, io);
    } finally {
      await view.end();
    }
    return 0;
  });

type Show = (chunks: readonly Chunk[]) => Promise<void>;

/**
 * Shows every chunk after `seq` and returns the last seq. The next page is fetched while this one is shown. Each page waits
 * until the reader has taken the one before, so memory does not grow with the transcript.
 */
async function readAfter(client: Client, sessionId: string, seq: number, show: Show, io: Io): Promise<number> {
  const read = (afterSeq: number) => client.call('session.transcript', { sessionId, afterSeq, limit: PAGE });
  let page = await read(seq);
  for (let last = seq; ; ) {
    last = Math.max(last, page.lastSeq);
    const next = page.more ? read(last) : undefined;
    // Nobody awaits it if `show` fails first.
    next?.catch(() => {});
    await show(page.chunks);
    await io.drained?.();
    if (next === undefined) return last;
    page = await next;
  }
}

/** The daemon ends a page before it is too large. */
const PAGE = 1_000;

/** Shows new chunks until the daemon stops or Ctrl-C. Each notification causes one read after the last seq. */
async function followSession(
  client: Client,
  { sessionId, runId }: { sessionId: string; runId: string },
  show: Show,
  io: Io,
): Promise<void> {
  let last = 0;
  let reading: Promise<void> = Promise.resolve();
  const read = () => {
    reading = reading.then(async () => {
      last = await readAfter(client, sessionId, last, show, io);
    });
    // A lost connection ends this. The transcript keeps what was not shown.
    reading.catch(() => {});
  };
  await client.subscribe({ runId, kinds: ['transcript.chunk_appended'] }, ({ event, data }) => {
    if (event === 'transcript.chunk_appended' && data.sessionId === sessionId && data.seq > last) read();
  });
  read();
  await untilInterrupted(client.closed);
}
