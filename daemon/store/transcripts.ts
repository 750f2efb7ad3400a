import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/open.ts';
import { tuiSessions, tuiTranscriptChunks } from '../db/schema/index.ts';

export interface StoredChunk {
  seq: number;
  content: string;
  capturedAt: Date;
}

export interface AppendedChunk {
  runId: string;
  seq: number;
}

/**
 * Stores chunks under the next numbers of the session. The number is taken from the session's row in the same
 * transaction, so numbers have no gap, whoever is killed when. Throws `not_found` when the session has no row.
 */
export async function appendChunks(
  db: Database['drizzle'],
  sessionId: string,
  contents: string[],
): Promise<AppendedChunk[]> {
  if (contents.length === 0) return [];
  return db.transaction(async (tx) => {
    // The last chunks before a power cut may be lost: a transcript is evidence, not state.
    await tx.execute(sql`set local synchronous_commit to off`);
    const [session] = await tx
      .update(tuiSessions)
      .set({ lastCaptureSeq: sql`${tuiSessions.lastCaptureSeq} + ${contents.length}` })
      .where(eq(tuiSessions.id, sessionId))
      .returning({ last: tuiSessions.lastCaptureSeq, runId: tuiSessions.runId });
    if (!session) throw new DevflowError('not_found', `There is no session ${sessionId}.`);
    const first = session.last - contents.length + 1;
    const rows = contents.map((content, index) => ({ sessionId, seq: first + index, content }));
    await tx.insert(tuiTranscriptChunks).values(rows);
    return rows.map(({ seq }) => ({ runId: session.runId, seq }));
  });
}

export interface TranscriptPage {
  chunks: StoredChunk[];
  /** Give it as `afterSeq` for what comes next. */
  lastSeq: number;
  /** True when there is more after this page already. */
  more: boolean;
}

/** A page after a number, in order; or with `tail` the last so many chunks, whatever `afterSeq` says. */
export async function readTranscript(
  db: Database['drizzle'],
  sessionId: string,
  page: { afterSeq?: number; limit?: number; tail?: number } = {},
): Promise<TranscriptPage> {
  const { afterSeq = 0, limit = 50, tail } = page;
  const { seq, content, capturedAt } = tuiTranscriptChunks;
  const ofSession = eq(tuiTranscriptChunks.sessionId, sessionId);
  const query = db.select({ seq, content, capturedAt }).from(tuiTranscriptChunks);
  if (tail !== undefined) {
    const chunks = (await query.where(ofSession).orderBy(desc(seq)).limit(tail)).reverse();
    return { chunks, lastSeq: chunks.at(-1)?.seq ?? 0, more: false };
  }
  const found = await query
    .where(and(ofSession, gt(seq, afterSeq)))
    .orderBy(asc(seq))
    .limit(limit + 1);
  const chunks = found.slice(0, limit);
  return { chunks, lastSeq: chunks.at(-1)?.seq ?? afterSeq, more: found.length > limit };
}
