import { isUtf8 } from 'node:buffer';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { and, asc, desc, eq, gt, isNotNull, lt, sql } from 'drizzle-orm';
import type { TranscriptKind } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/database.ts';
import { tuiSessions, tuiTranscriptChunks } from '../db/schema/index.ts';
import { type Extent, type NewChunk, NOTHING_STORED, notYetStored } from './transcriptExtent.ts';

export type { Extent, NewChunk } from './transcriptExtent.ts';

export interface StoredChunk {
  seq: number;
  kind: TranscriptKind;
  bytes: Buffer;
  endOffset: number | null;
  capturedAt: Date;
}

export interface AppendedChunk {
  runId: string;
  seq: number;
}

type Drizzle = Database['drizzle'];

/**
 * Stores chunks under the next numbers of the session. The number comes from the session's row in the same transaction, so
 * numbers have no gaps. Chunks with an offset are stored once; missing output before one gets a `gap`. With `durable` they and
 * all earlier chunks are on the disk on return. Throws `not_found` if the session has no row.
 */
export async function appendChunks(
  db: Drizzle,
  sessionId: string,
  offered: readonly NewChunk[],
  { durable = false }: { durable?: boolean } = {},
): Promise<AppendedChunk[]> {
  if (offered.length === 0) return [];
  return db.transaction(async (tx) => {
    // A power cut may lose the last chunks. They are captured again.
    if (!durable) await tx.execute(sql`set local synchronous_commit to off`);
    const [session] = await tx
      .select({ last: tuiSessions.lastCaptureSeq, runId: tuiSessions.runId })
      .from(tuiSessions)
      .where(eq(tuiSessions.id, sessionId))
      .for('update');
    if (!session) throw new DevflowError('not_found', `There is no session ${sessionId}.`);
    const isStream = offered.some(({ endOffset }) => endOffset !== undefined);
    const chunks = isStream ? notYetStored(await readExtent(tx as unknown as Drizzle, sessionId), offered) : offered;
    if (chunks.length === 0) return [];
    const rows = chunks.map(({ kind, bytes, endOffset }, index) => {
      return { sessionId, seq: session.last + 1 + index, kind, endOffset, ...pack(bytes) };
    });
    await tx
      .update(tuiSessions)
      .set({ lastCaptureSeq: session.last + chunks.length })
      .where(eq(tuiSessions.id, sessionId));
    await tx.insert(tuiTranscriptChunks).values(rows);
    return rows.map(({ seq }) => ({ runId: session.runId, seq }));
  });
}

/** The extent of the session's stored output. Capture continues there. */
export async function readExtent(db: Drizzle, sessionId: string): Promise<Extent> {
  const { kind, endOffset, seq } = tuiTranscriptChunks;
  const ofSession = and(eq(tuiTranscriptChunks.sessionId, sessionId), isNotNull(endOffset));
  const [last] = await db
    .select({ offset: endOffset })
    .from(tuiTranscriptChunks)
    .where(ofSession)
    .orderBy(desc(seq))
    .limit(1);
  if (!last) return NOTHING_STORED;
  const offset = last.offset ?? 0;
  const marks = await db
    .select({ kind, count: sql<number>`count(*)::int` })
    .from(tuiTranscriptChunks)
    .where(and(ofSession, eq(endOffset, offset)))
    .groupBy(kind);
  const count = (of: TranscriptKind) => marks.find((mark) => mark.kind === of)?.count ?? 0;
  return { offset, resizes: count('resize'), gaps: count('gap') };
}

export interface TranscriptPage {
  chunks: StoredChunk[];
  /** Pass it as `afterSeq` to read the next page. */
  lastSeq: number;
  /** True if there are chunks after this page. */
  more: boolean;
}

/** A page must fit a frame of the socket, even with the longest JSON escapes. */
const LARGEST_PAGE_BYTES = 1024 * 1024;

/** A page after `afterSeq`, in order. `tail` gives the last chunks instead and ignores `afterSeq`. */
export async function readTranscript(
  db: Drizzle,
  sessionId: string,
  page: { afterSeq?: number; limit?: number; tail?: number } = {},
): Promise<TranscriptPage> {
  const { afterSeq = 0, limit = 50, tail } = page;
  const { seq, kind, content, data, endOffset, capturedAt } = tuiTranscriptChunks;
  const ofSession = eq(tuiTranscriptChunks.sessionId, sessionId);
  const select = () => db.select({ seq, kind, content, data, endOffset, capturedAt }).from(tuiTranscriptChunks);
  if (tail !== undefined) {
    const before = (last: number | undefined) => and(ofSession, last === undefined ? undefined : lt(seq, last));
    const { chunks } = await fitting(tail, (last, count) =>
      select().where(before(last)).orderBy(desc(seq)).limit(count),
    );
    chunks.reverse();
    return { chunks, lastSeq: chunks.at(-1)?.seq ?? 0, more: false };
  }
  const after = (last = afterSeq) => and(ofSession, gt(seq, last));
  const { chunks, more } = await fitting(limit, (last, count) =>
    select().where(after(last)).orderBy(asc(seq)).limit(count),
  );
  return { chunks, lastSeq: chunks.at(-1)?.seq ?? afterSeq, more };
}

type PackedChunk = { content: string; data: Buffer | null } & Omit<StoredChunk, 'bytes'>;
/** Chunks of the largest size (64 KB) that fill a page. */
const FEW_CHUNKS = 18;

/** The first chunks that fit a page, at least one and at most `limit`. Reads only a few more. */
async function fitting(
  limit: number,
  read: (last: number | undefined, count: number) => Promise<PackedChunk[]>,
): Promise<{ chunks: StoredChunk[]; more: boolean }> {
  const chunks: StoredChunk[] = [];
  let size = 0;
  for (let count = FEW_CHUNKS; ; count *= 4) {
    const asked = Math.min(count, limit - chunks.length + 1);
    const found = await read(chunks.at(-1)?.seq, asked);
    for (const packed of found) {
      const chunk = unpacked(packed);
      size += chunk.bytes.length;
      if (chunks.length === limit || (size > LARGEST_PAGE_BYTES && chunks.length > 0)) return { chunks, more: true };
      chunks.push(chunk);
    }
    if (found.length < asked) return { chunks, more: false };
  }
}

function unpacked({ content, data, ...row }: PackedChunk): StoredChunk {
  return { ...row, bytes: unpack({ content, data }) };
}

/** The statements of the session manager's transcripts. */
export function transcriptStore(db: Drizzle) {
  return {
    append: (sessionId: string, chunks: readonly NewChunk[], options: { durable: boolean }) =>
      appendChunks(db, sessionId, chunks, options),
    readExtent: (sessionId: string) => readExtent(db, sessionId),
  };
}

/** Below this size, compression saves less than its frame and column cost. */
const WORTH_PACKING = 512;
/** Measured on terminal output: 3 takes 0.3 ms for 64 KB; 9 takes three times that and saves a tenth. */
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 3 };

/** The columns for a chunk: short text unchanged (Postgres refuses NUL in text), else zstd. */
function pack(bytes: Buffer): { content: string; data: Buffer | null } {
  const isText = isUtf8(bytes) && !bytes.includes(0);
  if (isText && bytes.length < WORTH_PACKING) return { content: bytes.toString('utf8'), data: null };
  return { content: '', data: zstdCompressSync(bytes, { params: PARAMS }) };
}

function unpack({ content, data }: { content: string; data: Buffer | null }): Buffer {
  return data === null ? Buffer.from(content) : zstdDecompressSync(data);
}
