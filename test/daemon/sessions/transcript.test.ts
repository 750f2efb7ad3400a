import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTranscripts } from '../../../daemon/sessions/transcript.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Transcripts over a store in memory. */
function memory(fail: () => boolean = () => false) {
  const chunks: string[] = [];
  const appended: number[] = [];
  const log = { warn: vi.fn(), trace: vi.fn() };
  const transcripts = createTranscripts({
    log,
    onAppended: ({ seq }) => appended.push(seq),
    append: async (_sessionId, contents) => {
      if (fail()) throw new Error('the database is away');
      return contents.map((content) => ({ runId: 'r', seq: chunks.push(content) }));
    },
  });
  return { transcripts, chunks, appended, log };
}

test('output is gathered for 250 ms into one chunk', async () => {
  const { transcripts, chunks, appended } = memory();
  await transcripts.write('s', 'one\n');
  await vi.advanceTimersByTimeAsync(200);
  await transcripts.write('s', 'two\n');
  expect(chunks).toEqual([]);
  await vi.advanceTimersByTimeAsync(50);
  expect(chunks).toEqual(['one\ntwo\n']);
  expect(appended).toEqual([1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(chunks).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a secret that arrives in two pieces is masked', async () => {
  const { transcripts, chunks } = memory();
  await transcripts.write('s', 'the key is ghp_abcdefgh');
  await vi.advanceTimersByTimeAsync(250);
  await transcripts.write('s', 'ijklmnop0123 !\n');
  await vi.advanceTimersByTimeAsync(250);
  expect(chunks.join('|')).toBe('the key is |[masked: github token] !\n');
});

test('a tail that stays as it is gets stored', async () => {
  const { transcripts, chunks } = memory();
  await transcripts.write('s', 'password:');
  await vi.advanceTimersByTimeAsync(500);
  expect(chunks).toEqual(['password:']);
});

test('large output is cut into chunks of at most 64 KB, no character in two', async () => {
  const { transcripts, chunks } = memory();
  const text = `a${'€'.repeat(50_000)}\n`;
  await transcripts.write('s', text);
  await transcripts.flush();
  expect(chunks.join('')).toBe(text);
  expect(chunks).toHaveLength(3);
  for (const chunk of chunks) expect(Buffer.byteLength(chunk)).toBeLessThanOrEqual(65_536);
});

test('a store that is away makes the writer wait, and loses nothing', async () => {
  let away = true;
  const { transcripts, chunks, log } = memory(() => away);
  let written = false;
  const large = 'line\n'.repeat(150_000);
  const writing = transcripts.write('s', large).then(() => {
    written = true;
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(written).toBe(false);
  expect(log.warn).toHaveBeenCalled();
  away = false;
  await vi.advanceTimersByTimeAsync(1_000);
  await writing;
  expect(chunks.join('')).toBe(large);
});

test('flush stores all; drop forgets and frees the writer', async () => {
  const { transcripts, chunks } = memory();
  await transcripts.write('s', 'half a wor');
  await transcripts.write('t', 'NUL \0 is refused by Postgres');
  await transcripts.flush('s');
  expect(chunks).toEqual(['half a wor']);
  await transcripts.flush();
  expect(chunks[1]).toBe('NUL \uFFFD is refused by Postgres');
  const waiting = transcripts.write('s', 'x'.repeat(600_000));
  transcripts.drop('s');
  await waiting;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(chunks).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});
