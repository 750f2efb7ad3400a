import type { Client, ClientSubscription } from '../../cli/client/connect.ts';
import type { Transcript } from '../model/model.ts';
import { systemTimers, type Timers } from '../system/timers.ts';
import type { Followed } from './followed.ts';
import { createPlayer } from './transcriptPlayer.ts';

/** Chunks read at first, and after a skip: some megabytes at most. */
const LAST_CHUNKS = 40;
/** Chunks of up to 64 KB in one answer, which is parsed in one piece. */
const PAGE = 8;
/** Above so many unread chunks, the ones in between are skipped. */
const MOST_BEHIND = 120;
/** Between two updates of the screen. */
const UPDATE_MS = 100;

/** The part of a client that a transcript needs. */
export type TranscriptClient = Pick<Client, 'call' | 'subscribe'>;

/**
 * Follows the output of an agent's pane. Keys are handled between two pieces, however fast the agent prints. The screen
 * is updated ten times a second, and memory is bounded.
 */
export function followTranscript(
  { sessionId, runId }: { sessionId: string; runId: string },
  onTranscript: (transcript: Transcript) => void,
  timers: Timers = systemTimers,
): Followed & { use(client: TranscriptClient | undefined): void } {
  const player = createPlayer();
  let current: TranscriptClient | undefined;
  let subscription: ClientSubscription | undefined;
  let lastSeq: number | undefined;
  /** The newest chunk the daemon has. */
  let newestSeq = 0;
  /** Only one read runs at a time. A notification meanwhile makes it read once more. */
  let isReading = false;
  let isStale = false;
  let isComplete = false;
  let updatedAt = 0;
  let cancelTimer: (() => void) | undefined;

  /** At most one interval: the clock may have been set back since the last update. */
  function updateSoon(): void {
    const wait = updatedAt + UPDATE_MS - timers.now();
    cancelTimer ??= timers.after(Math.min(UPDATE_MS, Math.max(0, wait)), sendUpdate);
  }

  function sendUpdate(): void {
    cancelTimer = undefined;
    updatedAt = timers.now();
    if (current) onTranscript({ ...player.seen(), complete: isComplete });
  }

  /** Nobody can read output this fast: skip to the newest. */
  function skipIfBehind(): void {
    if (lastSeq === undefined || newestSeq - lastSeq <= MOST_BEHIND) return;
    const next = newestSeq - LAST_CHUNKS;
    player.skip(next - lastSeq);
    lastSeq = next;
  }

  async function readOn(by: TranscriptClient): Promise<void> {
    for (let more = true; more; ) {
      skipIfBehind();
      const after = lastSeq ?? (await firstSeq(by));
      const page = await by.call('session.transcript', { sessionId, afterSeq: after, limit: PAGE });
      for (const chunk of page.chunks) {
        if (by !== current) return;
        await player.play(chunk);
        lastSeq = chunk.seq;
        updateSoon();
      }
      if (by !== current) return;
      lastSeq = Math.max(lastSeq ?? 0, page.lastSeq);
      more = page.more && page.chunks.length > 0;
    }
    // An empty transcript is complete too, so that the screen can say so.
    if (!isComplete) {
      isComplete = true;
      updateSoon();
    }
  }

  /** Where the last chunks begin. The first chunk has the size of the pane. */
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
        // The link reports a lost connection and opens another. After any other error, the next chunk tries again.
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
