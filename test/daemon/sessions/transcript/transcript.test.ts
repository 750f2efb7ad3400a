import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTranscripts } from '../../../../daemon/sessions/transcript/transcript.ts';
import type { Piece } from '../../../../daemon/sessions/transcript/transcriptChunks.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Transcripts over a store in memory. */
function memory({ fail = () => false, stored = 0 }: { fail?: () => boolean; stored?: number } = {}) {
  const pieces: Piece[] = [];
  const chunks: string[] = [];
  const appended: number[] = [];
  const durable: number[] = [];
  const log = { warn: vi.fn(), trace: vi.fn() };
  const transcripts = createTranscripts({
    log,
    onAppended: ({ seq }) => appended.push(seq),
    store: {
      append: async (_sessionId, offered, options) => {
        if (fail()) throw new Error('the database is away');
        pieces.push(...offered);
        if (options.durable) durable.push(offered.at(-1)?.endOffset ?? 0);
        return offered.map(({ bytes }) => ({ runId: 'r', seq: chunks.push(bytes.toString()) }));
      },
      readExtent: async () => {
        if (fail()) throw new Error('the database is away');
        return { offset: stored };
      },
    },
  });
  const write = (sessionId: string, content: string) => transcripts.write(sessionId, { content });
  /** A part of a stream that ends there. */
  const print = (bytes: Buffer | string, endOffset: number) =>
    transcripts.write('s', { content: '', bytes: Buffer.from(bytes), endOffset: BigInt(endOffset) });
  return { transcripts, write, print, pieces, chunks, appended, durable, log };
}

test('gathers output for 250 ms into one chunk', async () => {
  const { write, chunks, appended } = memory();
  await write('s', 'one\n');
  await vi.advanceTimersByTimeAsync(200);
  await write('s', 'two\n');
  expect(chunks).toEqual([]);
  await vi.advanceTimersByTimeAsync(50);
  expect(chunks).toEqual(['one\ntwo\n']);
  expect(appended).toEqual([1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(chunks).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

/** Prints a line every 100 ms for so long. */
async function spin(write: (sessionId: string, content: string) => Promise<void>, seconds: number): Promise<void> {
  for (let nth = 0; nth < seconds * 10; nth += 1) {
    await write('s', `${nth}\n`);
    await vi.advanceTimersByTimeAsync(100);
  }
}

test('stores a pane that prints without pause more and more rarely, and at once for a reader', async () => {
  const { transcripts, write, chunks } = memory();
  await spin(write, 20);
  const first = chunks.length;
  expect(first).toBeLessThanOrEqual(10);
  await spin(write, 60);
  expect(chunks.length - first).toBeLessThanOrEqual(7);
  const before = chunks.length;
  transcripts.watched('s');
  await vi.advanceTimersByTimeAsync(250);
  expect(chunks.length).toBe(before + 1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(chunks.join('')).toBe(
    [20, 60].map((s) => Array.from({ length: s * 10 }, (_, n) => `${n}\n`).join('')).join(''),
  );
  // After a pause it is a quiet pane again.
  const after = chunks.length;
  await spin(write, 1);
  expect(chunks.length).toBeGreaterThanOrEqual(after + 2);
});

test('stores the end of a long output ten seconds after it at the latest', async () => {
  for (const seconds of [40, 45, 50, 55]) {
    const { write, chunks } = memory();
    await spin(write, seconds);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(chunks.join('')).toBe(Array.from({ length: seconds * 10 }, (_, n) => `${n}\n`).join(''));
  }
});

test('masks a secret that arrives in two pieces', async () => {
  const { write, chunks } = memory();
  await write('s', 'the key is ghp_abcdefgh');
  await vi.advanceTimersByTimeAsync(250);
  await write('s', 'ijklmnop0123 !\n');
  await vi.advanceTimersByTimeAsync(250);
  expect(chunks.join('|')).toBe('the key is |[masked: github token]** !\n');
});

test('stores a tail that does not change', async () => {
  const { write, chunks } = memory();
  await write('s', 'password:');
  await vi.advanceTimersByTimeAsync(500);
  expect(chunks).toEqual(['password:']);
});

test('cuts large output into chunks of at most 64 KB between characters', async () => {
  const { transcripts, write, chunks } = memory();
  const text = `a${'€'.repeat(50_000)}\n`;
  await write('s', text);
  await transcripts.flush();
  expect(chunks.join('')).toBe(text);
  expect(chunks).toHaveLength(3);
  for (const chunk of chunks) expect(Buffer.byteLength(chunk)).toBeLessThanOrEqual(65_536);
});

test('makes the writer wait for a missing store, and loses nothing', async () => {
  let away = true;
  const { write, chunks, log } = memory({ fail: () => away });
  let written = false;
  const large = 'line\n'.repeat(150_000);
  const writing = write('s', large).then(() => {
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

test('flush stores everything; drop discards it and releases the writer', async () => {
  const { transcripts, write, chunks } = memory();
  await write('s', 'half a wor');
  await write('t', 'NUL \0 is refused by Postgres');
  await transcripts.flush('s');
  expect(chunks).toEqual(['half a wor']);
  await transcripts.flush();
  expect(chunks[1]).toBe('NUL \0 is refused by Postgres');
  const waiting = write('s', 'x'.repeat(600_000));
  transcripts.drop('s');
  await waiting;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(chunks).toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('stores a constantly printing pane twice in 5 s, and a watched one at once', async () => {
  const { transcripts, write, chunks } = memory();
  const print = async (seconds: number) => {
    for (let n = 0; n < seconds * 10; n += 1) {
      await write('s', `frame ${n}\n`);
      await vi.advanceTimersByTimeAsync(100);
    }
  };
  await print(20);
  expect(chunks.length).toBeLessThanOrEqual(9);
  transcripts.watched('s');
  const before = chunks.length;
  await print(10);
  expect(chunks.length - before).toBeGreaterThan(30);
  await transcripts.flush();
  expect(vi.getTimerCount()).toBe(0);
});

test('stores 64 KB at once, and makes a faster writer wait', async () => {
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const sizes: number[] = [];
  const transcripts = createTranscripts({
    log: { warn: vi.fn(), trace: vi.fn() },
    store: {
      readExtent: async () => ({ offset: 0 }),
      append: async (_id, pieces) => {
        sizes.push(pieces.length);
        await gate;
        return [];
      },
    },
  });
  const part = Buffer.from(`${'x'.repeat(8191)}\n`);
  let written = 0;
  const flood = (async () => {
    while (written < 1000) {
      written += 1;
      await transcripts.write('s', { content: '', bytes: part, endOffset: BigInt(written * part.length) });
    }
  })();
  await vi.advanceTimersByTimeAsync(1);
  expect([sizes, written]).toEqual([[1], 65]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toBe(65);
  go();
  await vi.advanceTimersByTimeAsync(60_000);
  await flood;
  await transcripts.flush();
  // 125 full ones, and a few that were cut short because output rested.
  expect(sizes.reduce((a, b) => a + b)).toBeLessThan(130);
});

test('resumes a stream a little before its stored end, and stores nothing twice', async () => {
  const { transcripts, print, pieces } = memory({ stored: 20_000 });
  expect(await transcripts.resume('s')).toBe(3616n);
  await print(Buffer.alloc(16_000, '.'), 19_616);
  await print(`${'.'.repeat(366)} key ghp_abcdefghijklmnop\n`, 20_008);
  await transcripts.flush();
  expect(pieces).toEqual([{ kind: 'output', bytes: Buffer.from('********'.replace(/.$/, '\n')), endOffset: 20_008 }]);
});

test('waits at the start for a missing store', async () => {
  let away = true;
  const { transcripts, log } = memory({ fail: () => away, stored: 5 });
  const resuming = transcripts.resume('s');
  await vi.advanceTimersByTimeAsync(3000);
  away = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(await resuming).toBe(0n);
  expect(log.warn).toHaveBeenCalled();
});

test('makes output durable every 4 MB, and then deletes it at the source', async () => {
  const { transcripts, print, durable } = memory();
  const forgotten: bigint[] = [];
  await transcripts.resume('s', async (before) => void forgotten.push(before));
  for (let end = 65_536; end <= 9 * 1024 * 1024; end += 65_536) {
    await print(Buffer.alloc(65_536, 'line\n'), end);
    await transcripts.flush('s');
  }
  expect(durable).toEqual([4 * 1024 * 1024, 8 * 1024 * 1024]);
  expect(forgotten).toEqual(durable.map((end) => BigInt(end - 16_384)));
});

test('holds back half a secret for 5 s, and keeps the place of a mark', async () => {
  const { transcripts, print, pieces } = memory();
  await print('one ghp_ab', 10);
  await vi.advanceTimersByTimeAsync(4000);
  expect(pieces.map(({ bytes }) => `${bytes}`)).toEqual(['one ']);
  const mark = { kind: 'resize', columns: 80, rows: 24, nth: 1 } as const;
  await transcripts.write('s', { content: '', endOffset: 10n, mark });
  await print('cdefghijklmnopq\n', 26);
  await transcripts.flush();
  expect(pieces.map(({ kind, bytes, endOffset }) => `${kind} ${bytes} ${endOffset}`)).toEqual([
    ...['output one  4', 'output ghp_ab 10', 'resize 80x24 10', 'output ***************\n 26'],
  ]);
});
