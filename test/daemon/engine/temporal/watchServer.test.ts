import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ServerThere, watchServer } from '../../../../daemon/engine/temporal/watchServer.ts';

const POLL_MS = 4_000;
const NOW = '2026-01-02T03:04:05.000Z';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server whose answer the test sets: an id of the namespace, none, or nothing at all. */
function givenServer(first?: string) {
  const server = { id: first, isFrozen: false, polls: 0 };
  const seen: string[] = [];
  const news: ServerThere[] = [];
  const lines: string[] = [];
  const watch = watchServer({
    pollMs: POLL_MS,
    async readNamespaceId() {
      server.polls += 1;
      if (server.isFrozen) await new Promise(() => {});
      if (server.id === undefined) throw new Error('no answer');
      return server.id;
    },
    reasonOf: (error) => (error as Error).message,
    onThere(there) {
      seen.push('there');
      news.push(there);
    },
    onChange: () => seen.push(watch.away() ? 'lost' : 'found'),
    now: () => NOW,
    log: { warn: () => lines.push('away'), info: () => lines.push('back') },
  });
  const answers = async (...ids: (string | undefined)[]) => {
    for (const id of ids) {
      server.id = id;
      await vi.advanceTimersByTimeAsync(POLL_MS);
    }
  };
  return { watch, server, answers, lines, seen, news };
}

test('says once that the server is there, away, and back', async () => {
  const { watch, answers, seen, lines } = givenServer('first');
  await answers('first', 'first');
  expect(seen).toEqual(['there']);
  expect(watch.away()).toBeUndefined();
  await answers(undefined, undefined);
  expect(watch.away()).toEqual({ since: NOW, reason: 'no answer' });
  await answers('first', 'first');
  expect(watch.away()).toBeUndefined();
  expect(seen).toEqual(['there', 'lost', 'found', 'there']);
  expect(lines).toEqual(['away', 'back']);
  watch.stop();
});

test('takes a namespace that was made again for a server that is back', async () => {
  const { watch, answers, seen } = givenServer('first');
  await answers('second', 'second');
  expect(seen).toEqual(['there', 'there']);
  watch.stop();
});

test('says how long the server gave no answer, and whether its namespace is a new one', async () => {
  const { watch, answers, news } = givenServer('first');
  await answers('first', undefined, 'first', 'second');
  expect(news).toEqual([
    { hasNewNamespace: true, unansweredMs: 0 },
    { hasNewNamespace: false, unansweredMs: expect.any(Number) },
    { hasNewNamespace: true, unansweredMs: POLL_MS },
  ]);
  expect(news[1]?.unansweredMs).toBeGreaterThan(POLL_MS);
  expect(news[1]?.unansweredMs).toBeLessThan(3 * POLL_MS);
  watch.stop();
});

test('is there for the first time whenever the server starts', async () => {
  const { watch, answers, seen } = givenServer();
  expect(await watch.check()).toEqual({ since: NOW, reason: 'no answer' });
  await answers(undefined, 'first');
  expect(seen).toEqual(['lost', 'found', 'there']);
  watch.stop();
});

test('asks an absent server less and less often, and a present one as seldom as before', async () => {
  const { watch, server } = givenServer();
  const pollsIn = async (ms: number) => {
    const before = server.polls;
    await vi.advanceTimersByTimeAsync(ms);
    return server.polls - before;
  };
  expect(await pollsIn(2_000)).toBeGreaterThan(2);
  await pollsIn(60_000);
  expect(await pollsIn(50_000)).toBe(10);
  server.id = 'first';
  await pollsIn(5_000);
  expect(await pollsIn(10 * POLL_MS)).toBe(10);
  watch.stop();
});

test('whoever needs the server asks at once, together with others, and need not wait for a poll', async () => {
  const { watch, server } = givenServer('first');
  await watch.check();
  const over = new AbortController();
  const lost = watch.untilAway(over.signal);
  server.id = undefined;
  const { polls } = server;
  const [one, two] = await Promise.all([watch.check(), watch.check()]);
  expect([one, two, await lost]).toEqual([one, one, one]);
  expect(one).toEqual({ since: NOW, reason: 'no answer' });
  expect(server.polls).toBe(polls + 1);
  expect(await watch.untilAway(over.signal)).toEqual(one);
  watch.stop();
});

test('asks no more once it has stopped', async () => {
  const { watch, server, answers, seen } = givenServer('first');
  await answers('first');
  watch.stop();
  const { polls } = server;
  await answers(undefined, 'second');
  expect([server.polls, seen]).toEqual([polls, ['there']]);
});
