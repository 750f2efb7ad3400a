import type { Client } from '../client/connect.ts';
import { untilInterrupted } from '../interrupt.ts';
import type { Action } from '../io.ts';
import { printJson, printJsonLine } from '../output.ts';
import { type Chunk, rawView, readableView, type TranscriptView } from '../transcriptView.ts';
import { withDaemon } from '../withDaemon.ts';

interface Options {
  json?: boolean;
  follow?: boolean;
  raw?: boolean;
}

export const action: Action = async ([ref]: [string], { json, follow, raw }: Options, io) =>
  withDaemon(io, async (client) => {
    const { sessionId, runId } = await client.call('session.get', { sessionId: ref });
    if (json && !follow) {
      const chunks: Chunk[] = [];
      await readAfter(client, sessionId, 0, async (chunk) => void chunks.push(chunk));
      printJson(io, chunks);
      return 0;
    }
    const jsonLines: TranscriptView = { show: async (chunk) => printJsonLine(io, chunk), end: async () => {} };
    const live = follow === true && io.outIsTty;
    const view = json ? jsonLines : raw ? rawView(io) : readableView(io, { live });
    try {
      if (!follow) await readAfter(client, sessionId, 0, view.show);
      else await followSession(client, { sessionId, runId }, view.show);
    } finally {
      await view.end();
    }
    return 0;
  });

/** Shows every chunk after `seq` and returns the last one's number. */
async function readAfter(client: Client, sessionId: string, seq: number, show: (chunk: Chunk) => Promise<void>) {
  for (let last = seq; ; ) {
    const page = await client.call('session.transcript', { sessionId, afterSeq: last });
    for (const chunk of page.chunks) await show(chunk);
    last = Math.max(last, page.lastSeq);
    if (!page.more) return last;
  }
}

/** Until the daemon goes or Ctrl-C: each hint is answered by one read from where the last ended. */
async function followSession(
  client: Client,
  { sessionId, runId }: { sessionId: string; runId: string },
  show: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  let last = 0;
  let reading: Promise<void> = Promise.resolve();
  const read = () => {
    reading = reading.then(async () => {
      last = await readAfter(client, sessionId, last, show);
    });
    // A lost connection ends the following; what it lost is in the transcript.
    reading.catch(() => {});
  };
  await client.subscribe({ runId, kinds: ['transcript.chunk_appended'] }, ({ event, data }) => {
    if (event === 'transcript.chunk_appended' && data.sessionId === sessionId && data.seq > last) read();
  });
  read();
  await untilInterrupted(client.closed);
}
