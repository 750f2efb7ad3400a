import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { LONGEST_SECRET } from './maskSecrets.ts';
import { compose, type Extent, LARGEST_CHUNK_BYTES, type Piece } from './transcriptChunks.ts';
import { type Printed, pieceOf, splitAt } from './transcriptPiece.ts';

/** Stores the chunks: `daemon/store/transcripts.ts` in the daemon. */
export interface TranscriptStore {
  /** Stores each chunk with an offset once. With `durable`, it is on disk when this returns. */
  append(
    sessionId: string,
    chunks: readonly Piece[],
    options: { durable: boolean },
  ): Promise<Omit<ChunkAppended, 'sessionId'>[]>;
  /** The offset up to which the session's stream is stored. */
  readExtent(sessionId: string): Promise<{ offset: number }>;
}

export interface ChunkAppended {
  runId: string;
  sessionId: string;
  seq: number;
}

/** Turns agents' output into stored chunks: few, small, and without secrets. */
export interface Transcripts {
  /**
   * The offset from which to capture a stream, so that nothing is stored twice or lost. It lies a little before the
   * stored end, because a secret may cross that end. Waits for the store. `forget` is called with the safely stored
   * offset.
   */
  resume(sessionId: string, forget?: (before: bigint) => Promise<void> | undefined): Promise<bigint>;
  /** Takes the output at once. Resolves when there is room for more, so a slow database slows the reader. */
  write(sessionId: string, printed: Printed): Promise<void>;
  /** Somebody reads along: for half a minute, new output is stored at once. */
  watched(sessionId: string): void;
  /** Stores everything written so far, of one session or of all. Rejects if the store does. */
  flush(sessionId?: string): Promise<void>;
  /** Drops what a session has not stored yet: its run is gone. */
  drop(sessionId: string): void;
}

export interface TranscriptOptions {
  store: TranscriptStore;
  onAppended?(chunk: ChunkAppended): void;
  log: Pick<Logger, 'warn' | 'trace'>;
  /** The time for which output of a pane is gathered that was quiet or is watched. */
  gatherMs?: number;
  /** The time for which output of a pane is gathered that prints constantly. */
  busyMs?: number;
  retryMs?: number;
}

/** Above this, `write` makes its caller wait. It bounds the memory of each session. */
const ROOM = 8 * LARGEST_CHUNK_BYTES;
const WATCHED_MS = 30_000;
/** A longer silence is a pause. */
const PAUSE_MS = 1000;
/** A pane that has printed without pause for so many times `busyMs` is stored so much more rarely. */
const LONG_BUSY = 4;
/** After this many bytes, stored output is made durable and deleted at its source. */
const FORGET_BYTES = 4 * 1024 * 1024;

interface Pending {
  pieces: Piece[];
  size: number;
  context: Buffer;
  /** Stored by an earlier process: read again for context only. */
  storedBefore: number;
  safeUntil: number;
  forget?: (before: bigint) => Promise<void> | undefined;
  timer?: NodeJS.Timeout;
  /** The size at the last look, and since when it has not changed. */
  seenSize: number;
  quietSince: number;
  /** When the last output came, and since when it comes without pause. */
  writtenAt: number;
  busySince: number;
  /**
   * The times of the last two stores. A pane that prints constantly is stored twice per `busyMs`, a quiet one at once.
   */
  storedAt: [number, number];
  watchedUntil: number;
  storing: Promise<void>;
  waiting: (() => void)[];
  dropped: boolean;
}

export function createTranscripts(options: TranscriptOptions): Transcripts {
  const { store, onAppended, log, gatherMs = 250, busyMs = 5000, retryMs = 1000 } = options;
  const sessions = new Map<string, Pending>();

  function pendingOf(sessionId: string): Pending {
    const pending = sessions.get(sessionId) ?? newPending();
    sessions.set(sessionId, pending);
    return pending;
  }

  function arm(sessionId: string, pending: Pending, ms: number): void {
    if (pending.dropped) return;
    pending.timer ??= setTimeout(() => {
      pending.timer = undefined;
      look(sessionId, pending);
    }, ms);
  }

  /**
   * Runs every `gatherMs` while there is unstored output, and not before it is nearly due. Output that has stopped is
   * stored with its last word; other output when it is due.
   */
  function look(sessionId: string, pending: Pending): void {
    const now = performance.now();
    const isQuiet = pending.size === pending.seenSize;
    if (!isQuiet) pending.quietSince = now;
    pending.seenSize = pending.size;
    const isLong = !isQuiet && now - pending.busySince >= LONG_BUSY * busyMs;
    const gathered = isLong ? LONG_BUSY * busyMs : busyMs;
    const dueAt = pending.storedAt[0] + gathered;
    const due = pending.size >= LARGEST_CHUNK_BYTES || now < pending.watchedUntil || now >= dueAt;
    if (due) attempt(sessionId, pending, !isQuiet ? 'safe' : now - pending.quietSince >= busyMs ? 'whole' : 'settled');
    // Not later than that, so that the end of a long output is seen.
    else arm(sessionId, pending, Math.min(busyMs, Math.max(gatherMs, dueAt - gatherMs - now)));
  }

  function attempt(sessionId: string, pending: Pending, extent: Extent): void {
    storeInTurn(sessionId, pending, extent).then(
      () => {
        if (pending.size >= LARGEST_CHUNK_BYTES) look(sessionId, pending);
        else if (pending.size > 0) arm(sessionId, pending, gatherMs);
      },
      (error: unknown) => {
        log.warn({ err: error, sessionId }, 'could not store the transcript; retrying');
        arm(sessionId, pending, retryMs);
      },
    );
  }

  /** One store at a time for each session, so that chunks keep their order. */
  function storeInTurn(sessionId: string, pending: Pending, extent: Extent): Promise<void> {
    const run = pending.storing.then(() => storeNow(sessionId, pending, extent));
    pending.storing = run.catch(() => {});
    return run;
  }

  async function storeNow(sessionId: string, pending: Pending, extent: Extent): Promise<void> {
    const taken = pending.pieces.splice(0);
    const { chunks, rest, context } = compose(taken, pending.context, extent);
    if (chunks.length === 0) {
      pending.pieces.unshift(...rest);
      return;
    }
    const end = chunks.at(-1)?.endOffset;
    const durable = end !== undefined && end - pending.safeUntil >= FORGET_BYTES;
    let stored: Omit<ChunkAppended, 'sessionId'>[];
    try {
      stored = await store.append(sessionId, chunks, { durable });
    } catch (error) {
      if (!pending.dropped) pending.pieces.unshift(...taken);
      throw error;
    }
    if (pending.dropped) return;
    pending.pieces.unshift(...rest);
    pending.context = context;
    pending.size -= sizeOf(taken) - sizeOf(rest);
    pending.storedAt = [pending.storedAt[1], performance.now()];
    for (const { runId, seq } of stored) {
      log.trace({ runId, sessionId, seq }, 'transcript.chunk_appended');
      onAppended?.({ runId, sessionId, seq });
    }
    for (const go of pending.waiting.splice(0)) go();
    if (durable) await forgetBefore(sessionId, pending, end);
  }

  async function forgetBefore(sessionId: string, pending: Pending, end: number): Promise<void> {
    pending.safeUntil = end;
    await pending
      .forget?.(BigInt(Math.max(0, end - LONGEST_SECRET)))
      ?.catch((err: unknown) => log.warn({ err, sessionId }, 'could not delete stored output'));
  }

  return {
    async resume(sessionId, forget) {
      for (;;) {
        const pending = pendingOf(sessionId);
        try {
          const { offset } = await store.readExtent(sessionId);
          // The next store makes durable what the last process left.
          const safeUntil = offset === 0 ? 0 : offset - FORGET_BYTES;
          Object.assign(pending, { forget, storedBefore: offset, safeUntil, context: Buffer.alloc(0) });
          return BigInt(Math.max(0, offset - LONGEST_SECRET));
        } catch (err) {
          log.warn({ err, sessionId }, 'could not read how far the transcript is stored; retrying');
          await pause(retryMs, undefined, { ref: false });
          if (pending.dropped) throw err;
        }
      }
    },
    async write(sessionId, printed) {
      const pending = pendingOf(sessionId);
      const { old, fresh } = splitAt(pieceOf(printed), pending.storedBefore);
      if (old) pending.context = Buffer.concat([pending.context, old.bytes]).subarray(-LONGEST_SECRET);
      if (!fresh) return;
      const now = performance.now();
      if (now - pending.writtenAt > PAUSE_MS) pending.busySince = now;
      pending.writtenAt = now;
      pending.pieces.push(fresh);
      pending.size += fresh.bytes.length;
      const [before, after] = [pending.size - fresh.bytes.length, pending.size];
      if (before < LARGEST_CHUNK_BYTES && after >= LARGEST_CHUNK_BYTES) attempt(sessionId, pending, 'safe');
      else arm(sessionId, pending, gatherMs);
      if (pending.size > ROOM) await new Promise<void>((go) => pending.waiting.push(go));
    },
    watched(sessionId) {
      const pending = sessions.get(sessionId);
      if (!pending) return;
      const isNews = pending.watchedUntil < performance.now();
      pending.watchedUntil = performance.now() + WATCHED_MS;
      if (!isNews || pending.timer === undefined) return;
      clearTimeout(pending.timer);
      pending.timer = undefined;
      arm(sessionId, pending, gatherMs);
    },
    async flush(sessionId) {
      const wanted = sessionId === undefined ? [...sessions.keys()] : [sessionId];
      await Promise.all(
        wanted.map(async (id) => {
          const pending = sessions.get(id);
          if (!pending) return;
          await storeInTurn(id, pending, 'whole');
          if (pending.size === 0) clear(pending);
        }),
      );
    },
    drop(sessionId) {
      const pending = sessions.get(sessionId);
      if (!pending) return;
      sessions.delete(sessionId);
      Object.assign(pending, { dropped: true, pieces: [], size: 0 });
      clear(pending);
    },
  };
}

function newPending(): Pending {
  return {
    pieces: [],
    size: 0,
    context: Buffer.alloc(0),
    storedBefore: 0,
    safeUntil: 0,
    seenSize: 0,
    quietSince: 0,
    writtenAt: Number.NEGATIVE_INFINITY,
    busySince: 0,
    storedAt: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
    watchedUntil: 0,
    storing: Promise.resolve(),
    waiting: [],
    dropped: false,
  };
}

function clear(pending: Pending): void {
  clearTimeout(pending.timer);
  pending.timer = undefined;
  for (const go of pending.waiting.splice(0)) go();
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
