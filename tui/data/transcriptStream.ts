import type { Client, ClientSubscription } from '../../cli/client/connect.ts';
import type { Transcript } from '../model/model.ts';
import { systemTimers, type Timers } from '../timers.ts';
import type { EventStream } from './eventStream.ts';
import { createPlayer } from './transcriptPlayer.ts';

/** As many as are read at first, and gone back to when the agent prints faster than is read: some megabytes at most. */
const LAST_CHUNKS = 40;
/** Of up to 64 KB each: what one answer brings is parsed in one turn. */
const PAGE = 8;
/** Chunks that are there and not read, above which what lies between is left out. */
const MOST_BEHIND = 120;
/** Between two pictures of a transcript that goes on. */
const TELL_MS = 100;

/** What it needs of a connection. */
export type TranscriptClient = Pick<Client, 'call' | 'subscribe'>;

/**
 * Follows what an agent's pane shows. However fast that goes on, it is played in small pieces with room for keys between
 * them, told at most ten times a second, and never more of it is kept than a person scrolls back.
 */
export function followTranscript(
  { sessionId, runId }: { sessionId: string; runId: string },
  onTranscript: (transcript: Transcript) => void,
  timers: Timers = systemTimers,
): EventStream & { use(client: TranscriptClient | undefined): void } {
  const player = createPlayer();
  let current: TranscriptClient | undefined;
  let subscription: ClientSubscription | undefined;
  let lastSeq: number | undefined;
  /** As told by the daemon; the reading may be behind. */
  let newestSeq = 0;
  /** One reading at a time; what is told meanwhile is read afterwards. */
  let isReading = false;
  let isStale = false;
  let isComplete = false;
  let toldAt = 0;
  let cancelTimer: (() => void) | undefined;

  function tellSoon(): void {
    cancelTimer ??= timers.after(Math.max(0, toldAt + TELL_MS - timers.now()), tell);
  }

  function tell(): void {
    cancelTimer = undefined;
    toldAt = timers.now();
    if (current) onTranscript({ ...player.seen(), complete: isComplete });
  }

  /** Nobody reads what rushes by: the newest is what counts. */
  function leaveOut(): void {
    if (lastSeq === undefined || newestSeq - lastSeq <= MOST_BEHIND) return;
    const next = newestSeq - LAST_CHUNKS;
    player.skip(next - lastSeq);
    lastSeq = next;
  }

  async function readOn(by: TranscriptClient): Promise<void> {
    for (let more = true; more; ) {
      leaveOut();
      const after = lastSeq ?? (await firstSeq(by));
      const page = await by.call('session.transcript', { sessionId, afterSeq: after, limit: PAGE });
      for (const chunk of page.chunks) {
        if (by !== current) return;
        await player.play(chunk);
        lastSeq = chunk.seq;
        tellSoon();
      }
      if (by !== current) return;
      lastSeq = Math.max(lastSeq ?? 0, page.lastSeq);
      more = page.more && page.chunks.length > 0;
    }
    // Also when there is nothing, so that it can be said that there is nothing.
    if (!isComplete) {
      isComplete = true;
      tellSoon();
    }
  }

  /** Where the last chunks begin. The pane's size was told at the very beginning. */
  async function firstSeq(by: TranscriptClient): Promise<number> {
    const { lastTranscriptSeq } = await by.call('session.get', { sessionId });
    const first = Math.max(0, lastTranscriptSeq - LAST_CHUNKS);
    if (first === 0) return 0;
    const { chunks } = await by.call('session.transcript', { sessionId, afterSeq: 0, limit: 2 });
    for (const chunk of chunks) if (chunk.kind === 'resize') await player.play(chunk);
    return first;
  }

  async function refresh(): Promise<void> {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale && current) {
      isStale = false;
      const by = current;
      try {
        await readOn(by);
      } catch {
        // A connection that is gone is told of by the link, which brings another; anything else with the next news.
        if (by === current) break;
      }
    }
    isReading = false;
  }

  return {
    use(client: TranscriptClient | undefined) {
      current = client;
      if (!client) return;
      client
        .subscribe({ runId, kinds: ['transcript.chunk_appended'] }, ({ event, data }) => {
          if (client !== current || event !== 'transcript.chunk_appended' || data.sessionId !== sessionId) return;
          newestSeq = Math.max(newestSeq, data.seq);
          void refresh();
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
      cancelTimer?.();
      player.close();
      void subscription?.close().catch(() => {});
    },
  };
}
