import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchServer } from '../../../../daemon/engine/temporal/watchServer.ts';

const POLL_MS = 100;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A server whose answer the test sets: an id of the namespace, or none. */
function givenServer() {
  const server = { id: 'first' as string | undefined, polls: 0 };
  let backs = 0;
  const lines: string[] = [];
  const watch = watchServer({
    pollMs: POLL_MS,
    async readNamespaceId() {
      server.polls += 1;
      if (server.id === undefined) throw new Error('no answer');
      return server.id;
    },
    onBack: () => {
      backs += 1;
    },
    log: { warn: () => lines.push('away'), info: () => lines.push('back') },
  });
  const answers = async (...ids: (string | undefined)[]) => {
    for (const id of ids) {
      server.id = id;
      await vi.advanceTimersByTimeAsync(POLL_MS);
    }
  };
  return { watch, server, answers, lines, backs: () => backs };
}

test('says once that the server is back, and nothing of one that was never away', async () => {
  const { watch, answers, backs, lines } = givenServer();
  await answers('first', 'first');
  expect(backs()).toBe(0);
  await answers(undefined, undefined, 'first', 'first');
  expect(backs()).toBe(1);
  expect(lines).toEqual(['away', 'back']);
  watch.stop();
});

test('takes a namespace that was made again for a server that is back', async () => {
  const { watch, answers, backs } = givenServer();
  await answers('first', 'second', 'second');
  expect(backs()).toBe(1);
  watch.stop();
});

test('asks no more once it has stopped', async () => {
  const { watch, server, answers, backs } = givenServer();
  await answers('first');
  watch.stop();
  const { polls } = server;
  await answers(undefined, 'second');
  expect([server.polls, backs()]).toEqual([polls, 0]);
});
