import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineServer } from '../../../daemon/engine/runEngine.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import { notifyServer } from '../../../daemon/notify/notifyServer.ts';

const PATIENCE_MS = 10_000;
const away = { since: '2026-01-02T03:04:05.000Z', reason: 'does not answer (refused)' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function given(first: EngineServer['away'], isLocal = false) {
  const bus = createBus();
  const told: string[] = [];
  let now = first;
  const stop = notifyServer({
    ways: [undefined, ({ title, text }) => told.push(`${title}: ${text}`)],
    bus,
    server: () => (isLocal ? undefined : { address: 'temporal:7233', namespace: 'devflow', away: now }),
    patienceMs: PATIENCE_MS,
  });
  const becomes = async (next: EngineServer['away'], ms: number) => {
    now = next;
    bus.hint(null, { event: 'engine.changed', data: {} });
    await vi.advanceTimersByTimeAsync(ms);
  };
  return { told, stop, becomes };
}

test('notifies once when the server stays away, and once when it is back', async () => {
  const { told, stop, becomes } = given(null);
  await becomes(away, PATIENCE_MS - 1);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS * 5);
  expect(told).toEqual([
    expect.stringMatching(
      /^devflow: Temporal at temporal:7233 does not answer \(refused\), since 2026-\S+ \S+\. What runs goes on; nothing new begins/,
    ),
  ]);
  await becomes(null, PATIENCE_MS);
  expect(told.slice(1)).toEqual(['devflow: Temporal at temporal:7233 answers again. Runs go on.']);
  stop();
});

test('says nothing of a server that restarts, and of an engine without one', async () => {
  const { told, stop, becomes } = given(null);
  await becomes(away, PATIENCE_MS / 2);
  await becomes(null, PATIENCE_MS);
  expect(told).toEqual([]);
  stop();
  const local = given(null, true);
  await local.becomes(null, PATIENCE_MS);
  expect(local.told).toEqual([]);
});

test('notifies about a server that was away when the daemon started, and not after the daemon stopped', async () => {
  const first = given(away);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(first.told).toHaveLength(1);
  first.stop();
  const second = given(away);
  second.stop();
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(second.told).toEqual([]);
});
