import type { Logger } from 'pino';
import { maskSecrets, safeLength } from './maskSecrets.ts';

/** Where chunks go; `daemon/store/transcripts.ts` in the daemon. Several contents are stored as one, or none. */
export type AppendChunks = (sessionId: string, contents: string[]) => Promise<Omit<ChunkAppended, 'sessionId'>[]>;

export interface ChunkAppended {
  runId: string;
  sessionId: string;
  seq: number;
}

/** Turns the output of agents into stored chunks: few, small, without secrets. */
export interface Transcripts {
  /** Takes over the text at once; resolves when there is room for more, so a slow database slows the reader. */
  write(sessionId: string, content: string): Promise<void>;
  /** Stores all that was written, whole; without an id, of every session. Rejects when the store does. */
  flush(sessionId?: string): Promise<void>;
  /** Forgets what a session has not stored yet: its run is gone. */
  drop(sessionId: string): void;
}

export interface TranscriptOptions {
  append: AppendChunks;
  onAppended?(chunk: ChunkAppended): void;
  log: Pick<Logger, 'warn' | 'trace'>;
  /** How long output is gathered before it is stored. */
  gatherMs?: number;
  retryMs?: number;
}

const LARGEST_CHUNK_BYTES = 64 * 1024;
/** Where `write` makes its caller wait; memory is bounded by this, for each session. */
const ROOM = 8 * LARGEST_CHUNK_BYTES;

interface Pending {
  text: string;
  timer?: NodeJS.Timeout;
  /** The length at the last look: a tail that did not grow is a prompt or a spinner, and is stored as it is. */
  heldBack: number;
  storing: Promise<void>;
  waiting: (() => void)[];
}

export function createTranscripts(options: TranscriptOptions): Transcripts {
  const { append, onAppended, log, gatherMs = 250, retryMs = 1000 } = options;
  const sessions = new Map<string, Pending>();

  function arm(sessionId: string, pending: Pending, ms: number): void {
    pending.timer ??= setTimeout(() => {
      pending.timer = undefined;
      store(sessionId, pending, false).catch((error: unknown) => {
        log.warn({ err: error, sessionId }, 'transcript not stored yet');
        arm(sessionId, pending, retryMs);
      });
    }, ms);
  }

  /** One store at a time for each session, so that chunks keep the order of the output. */
  function store(sessionId: string, pending: Pending, whole: boolean): Promise<void> {
    const run = pending.storing.then(() => storeNow(sessionId, pending, whole));
    pending.storing = run.catch(() => {});
    return run;
  }

  async function storeNow(sessionId: string, pending: Pending, whole: boolean): Promise<void> {
    const { text } = pending;
    const stale = text.length === pending.heldBack;
    const length = whole || stale ? text.length : safeLength(text);
    if (length > 0) {
      const contents = cut(maskSecrets(text.slice(0, length)));
      const stored = await append(sessionId, contents);
      pending.text = pending.text.slice(length);
      for (const { runId, seq } of stored) {
        log.trace({ runId, sessionId, seq }, 'transcript.chunk_appended');
        onAppended?.({ runId, sessionId, seq });
      }
      for (const go of pending.waiting.splice(0)) go();
    }
    pending.heldBack = pending.text.length;
    if (pending.text.length > 0) arm(sessionId, pending, gatherMs);
  }

  return {
    async write(sessionId, content) {
      const pending = sessions.get(sessionId) ?? { text: '', heldBack: 0, storing: Promise.resolve(), waiting: [] };
      sessions.set(sessionId, pending);
      // Postgres refuses NUL in text.
      pending.text += content.replaceAll('\0', '\uFFFD');
      arm(sessionId, pending, gatherMs);
      if (pending.text.length > ROOM) await new Promise<void>((go) => pending.waiting.push(go));
    },
    async flush(sessionId) {
      const wanted = sessionId === undefined ? [...sessions.keys()] : [sessionId];
      await Promise.all(
        wanted.map(async (id) => {
          const pending = sessions.get(id);
          if (!pending) return;
          await store(id, pending, true);
          if (pending.text === '') clear(pending);
        }),
      );
    },
    drop(sessionId) {
      const pending = sessions.get(sessionId);
      if (!pending) return;
      sessions.delete(sessionId);
      pending.text = '';
      clear(pending);
    },
  };
}

function clear(pending: Pending): void {
  clearTimeout(pending.timer);
  pending.timer = undefined;
  for (const go of pending.waiting.splice(0)) go();
}

/** Pieces of at most 64 KB that cut no character in two. */
function cut(text: string): string[] {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + LARGEST_CHUNK_BYTES, bytes.length);
    while (end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
    pieces.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return pieces;
}
