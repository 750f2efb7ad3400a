import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readSession } from '../../../daemon/store/sessions.ts';
import { appendChunks, readTranscript } from '../../../daemon/store/transcripts.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { givenSession } from '../../helpers/givenSession.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const database = useDatabase();
const seqs = (page: { chunks: { seq: number }[] }) => page.chunks.map(({ seq }) => seq);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('many writers at once leave no gap, and the row names the last number', async () => {
  const { runId, sessionId } = await givenSession(database());
  const db = database().drizzle;
  const answers = await Promise.all(upTo(30).map((n) => appendChunks(db, sessionId, [`${n}a`, `${n}b`])));
  expect(
    answers
      .flat()
      .map(({ seq }) => seq)
      .sort((a, b) => a - b),
  ).toEqual(upTo(60));
  expect(answers[0]?.[0]?.runId).toBe(runId);
  const page = await readTranscript(db, sessionId, { limit: 100 });
  expect(seqs(page)).toEqual(upTo(60));
  for (let pair = 0; pair < 60; pair += 2) {
    const [a, b] = page.chunks.slice(pair, pair + 2).map(({ content }) => content);
    expect(b).toBe(a?.replace('a', 'b'));
  }
  expect(await readSession(db, sessionId)).toMatchObject({ lastCaptureSeq: 60, state: 'READY' });
});

test('a writer that was killed half-way leaves no gap', async () => {
  const { sessionId } = await givenSession(database());
  const db = database().drizzle;
  await appendChunks(db, sessionId, ['one']);
  // A NUL is refused by the insert, after the number was taken.
  await expect(appendChunks(db, sessionId, ['two', 'NUL \0'])).rejects.toThrow();
  // A pool's client that is lent out tells of its lost connection by an event of its own.
  database().pool.on('acquire', (client) => client.once('error', () => {}));
  const killed = db.transaction(async (tx) => {
    await appendChunks(tx as unknown as typeof db, sessionId, ['never']);
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  await expect(killed).rejects.toThrow();
  await appendChunks(db, sessionId, ['two']);
  const { chunks } = await readTranscript(db, sessionId);
  expect(chunks.map(({ seq, content }) => [seq, content])).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
});

test('pages, the end, and the tail', async () => {
  const { sessionId } = await givenSession(database());
  const db = database().drizzle;
  expect(await readTranscript(db, sessionId, { afterSeq: 3 })).toEqual({ chunks: [], lastSeq: 3, more: false });
  await appendChunks(db, sessionId, upTo(5).map(String));
  const first = await readTranscript(db, sessionId, { limit: 2 });
  expect([seqs(first), first.lastSeq, first.more]).toEqual([[1, 2], 2, true]);
  const rest = await readTranscript(db, sessionId, { afterSeq: first.lastSeq, limit: 3 });
  expect([seqs(rest), rest.lastSeq, rest.more]).toEqual([[3, 4, 5], 5, false]);
  expect(seqs(await readTranscript(db, sessionId, { tail: 2 }))).toEqual([4, 5]);
});

test('a session without a row is said to be unknown', async () => {
  await expect(appendChunks(database().drizzle, derivedId('nobody'), ['x'])).rejects.toMatchObject({
    code: 'not_found',
  });
});
