import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { NotificationParams } from '../../../schemas/rpc/notifications.ts';
import type { TranscriptChunk } from '../../../schemas/rpc/views/session.ts';
import { MOST_LINES } from '../../../tui/data/transcriptPlayer.ts';
import { followTranscript, type TranscriptClient } from '../../../tui/data/transcriptStream.ts';
import type { Transcript } from '../../../tui/model/model.ts';
import type { Timers } from '../../../tui/system/timers.ts';
import { textOf } from '../../../tui/text/line.ts';
import { handTimers } from '../../helpers/handTimers.ts';
import { until } from '../../helpers/until.ts';

const WHO = { sessionId: 's', runId: 'r' };

/** A daemon of one session, in this process. */
function givenDaemon() {
  const chunks: TranscriptChunk[] = [];
  const listeners = new Set<(notification: NotificationParams) => void>();
  let offset = 0;
  let calls = 0;
  let broken = false;
  let refused = 0;

  function print(content: string, more: Partial<TranscriptChunk> = {}): void {
    offset += content.length;
    const seq = chunks.length + 1;
    chunks.push({ seq, kind: 'output', content, endOffset: offset, capturedAt: '', ...more });
    const data = { runId: 'r', sessionId: 's', seq };
    for (const tell of listeners) tell({ subscriptionId: 'x', event: 'transcript.chunk_appended', data });
  }

  function connect(): TranscriptClient {
    return {
      async call(method: string, params: unknown) {
        calls += 1;
        await turn();
        if (broken) {
          refused += 1;
          throw new Error('the connection closed');
        }
        if (method === 'session.get') return { lastTranscriptSeq: chunks.length };
        const { afterSeq, limit } = params as { afterSeq: number; limit: number };
        const page = chunks.slice(afterSeq, afterSeq + limit);
        return {
          sessionId: 's',
          chunks: page,
          lastSeq: page.at(-1)?.seq ?? afterSeq,
          more: afterSeq + limit < chunks.length,
        };
      },
      async subscribe(_params: unknown, tell: (notification: NotificationParams) => void) {
        listeners.add(tell);
        return { id: 'x', runId: 'r', afterSeq: null, close: async () => void listeners.delete(tell) };
      },
    } as unknown as TranscriptClient;
  }

  const breakOff = () => {
    broken = true;
  };
  const mend = () => {
    broken = false;
  };
  return { print, connect, listeners, calls: () => calls, refused: () => refused, breakOff, mend };
}

function followed(timers?: Timers) {
  const told: Transcript[] = [];
  const toldAt: number[] = [];
  const onTranscript = (transcript: Transcript) => {
    told.push(transcript);
    if (timers) toldAt.push(timers.now());
  };
  const stream = followTranscript(WHO, onTranscript, timers);
  onTestFinished(() => stream.close());
  const last = () => told.at(-1);
  const texts = () => (last()?.lines ?? []).map(textOf);
  return { stream, told, toldAt, last, texts };
}

test('shows old and new output in its colours', async () => {
  const daemon = givenDaemon();
  const { stream, last, texts } = followed();
  daemon.print('40x5', { kind: 'resize' });
  daemon.print('one\r\n\u001b[31mtwo\u001b[m\r\n');
  stream.use(daemon.connect());
  await until('it is reported', () => last()?.complete === true && texts().length === 2);
  expect(last()?.lines[1]?.[0]?.style).toEqual({ fg: 1 });
  daemon.print('three\r\n');
  await until('it is reported', () => texts().includes('three'));
  expect(texts()).toEqual(['one', 'two', 'three']);
});

test('reports a session without output too', async () => {
  const { stream, last } = followed();
  stream.use(givenDaemon().connect());
  await until('it is reported', () => last() !== undefined);
  expect(last()).toMatchObject({ count: 0, complete: true });
});

test('starts a long transcript near its end, at the size of the pane', async () => {
  const daemon = givenDaemon();
  const { stream, last, texts } = followed();
  daemon.print('20x5', { kind: 'resize' });
  for (let nth = 0; nth < 300; nth += 1) daemon.print(`${'x'.repeat(20)}${nth}\r\n`);
  stream.use(daemon.connect());
  await until('it is reported', () => last()?.complete === true);
  expect(texts().join('')).not.toContain('x100x');
  expect(texts().at(-1)).toBe('299');
});

test('resumes where it was after a reconnection', async () => {
  const daemon = givenDaemon();
  const { stream, last, texts } = followed();
  daemon.print('one\r\n');
  stream.use(daemon.connect());
  await until('it is reported', () => last()?.complete === true);
  daemon.breakOff();
  daemon.print('two\r\n');
  await until('a read has failed', () => daemon.refused() > 0);
  stream.use(undefined);
  daemon.mend();
  stream.use(daemon.connect());
  await until('it is reported', () => texts().includes('two'));
  expect(texts()).toEqual(['one', 'two']);
});

test('updates at most ten times a second, and drops old lines', async () => {
  const daemon = givenDaemon();
  const time = handTimers();
  const { stream, told, toldAt, texts } = followed(time);
  stream.use(daemon.connect());
  const piece = Array.from({ length: 640 }, (_, nth) => `${nth} `.padEnd(98, 'x')).join('\r\n');
  // For two seconds more than 1 MB a second.
  for (let nth = 0; nth < 40; nth += 1) {
    daemon.print(`${piece}\r\nchunk ${nth}\r\n`);
    const calls = daemon.calls();
    await until('it is read', () => daemon.calls() > calls || texts().includes(`chunk ${nth}`));
    await time.advance(50);
  }
  await until('it is reported', async () => {
    await time.advance(50);
    return texts().includes('chunk 39');
  });
  expect(told.length).toBeGreaterThan(1);
  for (const [nth, at] of toldAt.entries()) expect(at - (toldAt[nth - 1] ?? 0)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...told.map(({ count }) => count))).toBeLessThan(MOST_LINES + 3_000);
});

test('skips output if the agent prints faster than it is read', async () => {
  const daemon = givenDaemon();
  const { stream, texts } = followed();
  daemon.print('begin\r\n');
  stream.use(daemon.connect());
  await until('it is reported', () => texts().includes('begin'));
  for (let nth = 0; nth < 2_000; nth += 1) daemon.print(`burst ${nth}\r\n`);
  await until('it is reported', () => texts().includes('burst 1999'));
  expect(texts().some((each) => each.startsWith('[skipped to keep up'))).toBe(true);
  expect(daemon.calls()).toBeLessThan(40);
});

test('sends nothing more and unsubscribes once it is closed', async () => {
  const daemon = givenDaemon();
  const time = handTimers();
  const { stream, told, last } = followed(time);
  daemon.print('one\r\n');
  stream.use(daemon.connect());
  await until('it is reported', async () => {
    await time.advance(100);
    return last()?.complete === true;
  });
  stream.close();
  await until('it is reported', () => daemon.listeners.size === 0);
  const count = told.length;
  daemon.print('two\r\n');
  await time.advance(60_000);
  expect(time.pending()).toBe(0);
  expect(told.length).toBe(count);
});
