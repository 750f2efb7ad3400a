import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readSession } from '../../../daemon/store/sessions.ts';
import { appendChunks, readExtent, readTranscript } from '../../../daemon/store/transcripts.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { givenSession } from '../../helpers/givenSession.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const database = useDatabase();
const seqs = (page: { chunks: { seq: number }[] }) => page.chunks.map(({ seq }) => seq);
const text = (content: string) => ({ kind: 'output' as const, bytes: Buffer.from(content) });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('concurrent writers leave no gap, and the row has the last number', async () => {
  const { runId, sessionId } = await givenSession(database());
  const db = database().drizzle;
  const answers = await Promise.all(upTo(30).map((n) => appendChunks(db, sessionId, [text(`${n}a`), text(`${n}b`)])));
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
    const [a, b] = page.chunks.slice(pair, pair + 2).map(({ bytes }) => String(bytes));
    expect(b).toBe(a?.replace('a', 'b'));
  }
  expect(await readSession(db, sessionId)).toMatchObject({ lastCaptureSeq: 60, state: 'READY' });
});

test('a writer that is killed half-way leaves no gap', async () => {
  const { sessionId } = await givenSession(database());
  const db = database().drizzle;
  await appendChunks(db, sessionId, [text('one')]);
  // Refused by the insert, after the number was taken.
  const refused = { ...text('three'), kind: 'nonsense' as 'gap' };
  await expect(appendChunks(db, sessionId, [text('two'), refused])).rejects.toThrow();
  // A pool's client that is lent out tells of its lost connection by an event of its own.
  database().pool.on('acquire', (client) => client.once('error', () => {}));
  const killed = db.transaction(async (tx) => {
    await appendChunks(tx as unknown as typeof db, sessionId, [text('never')]);
    await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  await expect(killed).rejects.toThrow();
  await appendChunks(db, sessionId, [text('two')]);
  const { chunks } = await readTranscript(db, sessionId);
  expect(chunks.map(({ seq, bytes }) => [seq, String(bytes)])).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
});

test('reads pages, the end and the tail', async () => {
  const { sessionId } = await givenSession(database());
  const db = database().drizzle;
  expect(await readTranscript(db, sessionId, { afterSeq: 3 })).toEqual({ chunks: [], lastSeq: 3, more: false });
  await appendChunks(
    db,
    sessionId,
    upTo(5).map((n) => text(`${n}`)),
  );
  const first = await readTranscript(db, sessionId, { limit: 2 });
  expect([seqs(first), first.lastSeq, first.more]).toEqual([[1, 2], 2, true]);
  const rest = await readTranscript(db, sessionId, { afterSeq: first.lastSeq, limit: 3 });
  expect([seqs(rest), rest.lastSeq, rest.more]).toEqual([[3, 4, 5], 5, false]);
  expect(seqs(await readTranscript(db, sessionId, { tail: 2 }))).toEqual([4, 5]);
});

test('reports a session without a row as unknown', async () => {
  await expect(appendChunks(database().drizzle, derivedId('nobody'), [text('x')])).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('returns all bytes unchanged: text, NUL, invalid UTF-8, large input', async () => {
  const { sessionId } = await givenSession(database());
  const db = database().drizzle;
  const noise = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * n * 31 + n) % 256));
  const all = ['plain €', 'NUL \0 in it', 'x'.repeat(100_000)]
    .map(Buffer.from)
    .concat(noise, Buffer.from([0xff, 0xc3]));
  await appendChunks(
    db,
    sessionId,
    all.map((bytes) => ({ kind: 'output', bytes })),
  );
  expect((await readTranscript(db, sessionId)).chunks.map(({ bytes }) => bytes)).toEqual(all);
  const { rows } = await database().pool.query(
    'SELECT content, length(data) AS size FROM tui_transcript_chunks ORDER BY seq',
  );
  expect(rows[0]).toEqual({ content: 'plain €', size: null });
  expect(rows[2].content).toBe('');
  expect(rows[2].size).toBeLessThan(1000);
});

test('a page ends before it is too large for a frame', async () => {
  const { sessionId } = await givenSession(database());
  const db = database().drizzle;
  const large = { kind: 'output' as const, bytes: Buffer.alloc(400_000, 'x') };
  await appendChunks(db, sessionId, [large, large, large]);
  const first = await readTranscript(db, sessionId);
  expect([seqs(first), first.more]).toEqual([[1, 2], true]);
  const rest = await readTranscript(db, sessionId, { afterSeq: first.lastSeq });
  expect([seqs(rest), rest.more]).toEqual([[3], false]);
  expect(seqs(await readTranscript(db, sessionId, { tail: 3 }))).toEqual([2, 3]);
});

test('stores repeated output once, and the extent says where to continue', async () => {
  const { sessionId } = await givenSession(database());
  const db = database().drizzle;
  const at = (content: string, endOffset: number) => ({ ...text(content), endOffset });
  const resize = (size: string, endOffset: number, nth: number) =>
    ({ kind: 'resize', bytes: Buffer.from(size), endOffset, nth }) as const;
  expect(await readExtent(db, sessionId)).toEqual({ offset: 0, resizes: 0, gaps: 0 });
  const first = [resize('80x24', 0, 1), at('abc', 3), resize('90x30', 3, 1), resize('80x24', 3, 2)];
  expect(await appendChunks(db, sessionId, first)).toHaveLength(4);
  expect(await appendChunks(db, sessionId, first, { durable: true })).toEqual([]);
  expect(await readExtent(db, sessionId)).toEqual({ offset: 3, resizes: 2, gaps: 0 });
  await appendChunks(db, sessionId, [resize('80x24', 3, 2), resize('70x20', 3, 3), at('bcde', 5), at('hi', 9)]);
  const { chunks, lastSeq } = await readTranscript(db, sessionId);
  expect(chunks.map(({ kind, bytes, endOffset }) => `${kind} ${bytes} ${endOffset}`)).toEqual([
    ...['resize 80x24 0', 'output abc 3', 'resize 90x30 3', 'resize 80x24 3', 'resize 70x20 3'],
    ...['output de 5', 'gap 2 bytes 7', 'output hi 9'],
  ]);
  expect(lastSeq).toBe(8);
});

test('two daemons that offer the same output at once store it once', async () => {
  const { sessionId } = await givenSession(database());
  const db = database().drizzle;
  const pieces = upTo(40).map((n) => ({ ...text(String(n % 10)), endOffset: n }));
  const offer = async () => {
    for (const piece of pieces) await appendChunks(db, sessionId, [piece]);
  };
  await Promise.all([offer(), offer(), offer()]);
  const { chunks } = await readTranscript(db, sessionId);
  expect(chunks.map(({ seq }) => seq)).toEqual(upTo(40));
  expect(chunks.map(({ bytes }) => bytes).join('')).toBe(
    upTo(40)
      .map((n) => n % 10)
      .join(''),
  );
});
