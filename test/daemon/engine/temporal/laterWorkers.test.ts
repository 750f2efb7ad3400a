import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLaterWorkers } from '../../../../daemon/engine/temporal/workers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function given(failures: number) {
  const done: string[] = [];
  const state = { mayStart: true, failures };
  const workers = createLaterWorkers({
    async connect() {
      done.push('connect');
      return { close: async () => void done.push('close') };
    },
    async start() {
      if (state.failures > 0) {
        state.failures -= 1;
        throw new Error('no answer');
      }
      done.push('start');
      return { stop: async () => void done.push('stop') };
    },
    mayStart: () => state.mayStart,
    onStarted: () => done.push('started'),
    log: { warn: () => done.push('failed') },
  });
  return { workers, state, done };
}

test('starts once, and only once it may', async () => {
  const { workers, state, done } = given(0);
  state.mayStart = false;
  await workers.start();
  expect(done).toEqual([]);
  state.mayStart = true;
  await Promise.all([workers.start(), workers.start()]);
  await workers.start();
  expect(done).toEqual(['connect', 'start', 'started']);
  await workers.stop();
  expect(done.slice(3)).toEqual(['stop', 'close']);
});

test('tries again over the same connection, as long as it may', async () => {
  const { workers, done } = given(2);
  await workers.start();
  expect(workers.areRunning()).toBe(false);
  await vi.runAllTimersAsync();
  expect(done).toEqual(['connect', 'failed', 'failed', 'start', 'started']);
  expect(workers.areRunning()).toBe(true);
  await workers.stop();
});

test('a stop ends the tries', async () => {
  const { workers, done } = given(5);
  await workers.start();
  await workers.stop();
  await vi.runAllTimersAsync();
  await workers.start();
  expect(done).toEqual(['connect', 'failed', 'close']);
});
