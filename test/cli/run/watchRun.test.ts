import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { watchRun } from '../../../cli/run/watchRun.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { until } from '../../helpers/until.ts';

/** A daemon that shows these states, one after each event, and can be away. */
function scripted(states: string[]) {
  let at = 0;
  let notify: (() => void) | undefined;
  let drop: (() => void) | undefined;
  let away = 0;
  const keeper = { waits: false };
  let followed = () => {};
  /** Resolved once somebody waits for events. */
  const isFollowed = new Promise<void>((resolve) => {
    followed = resolve;
  });
  const connect = async (): Promise<Client> => {
    if (away > 0) {
      away -= 1;
      throw new DevflowError('daemon_not_running', 'away', { data: { waits: keeper.waits } });
    }
    let gone = () => {};
    const closed = new Promise<void>((resolve) => {
      gone = resolve;
    });
    return {
      call: async () => ({ runId: 'r', state: states[at], lastSeq: at }) as unknown as RunDetail,
      subscribe: async (_params: unknown, listen: (n: unknown) => void) => {
        notify = () => listen({ event: 'run.event_appended', data: { seq: at } });
        drop = gone;
        followed();
        return { id: 's', runId: 'r', afterSeq: 0, close: async () => {} };
      },
      request: async () => undefined,
      closed,
      close: gone,
    } as unknown as Client;
  };
  return {
    connect,
    isFollowed,
    /** Whether the keeper of the daemon waits to start one. */
    keeper,
    next: () => {
      at += 1;
      notify?.();
    },
    /** Goes away for so many connects; the run moves on meanwhile. */
    restart: (tries: number) => {
      at += 1;
      away = tries;
      drop?.();
    },
  };
}

const never = new AbortController().signal;

describe('watchRun', () => {
  test('shows each state and ends with the run', async () => {
    const daemon = scripted(['planning', 'executing', 'completed']);
    const seen: string[] = [];
    const onChange = (run: RunDetail) => void seen.push(run.state);
    const watching = watchRun({ connect: daemon.connect, runId: 'r', onChange, signal: never });
    await daemon.isFollowed;
    daemon.next();
    await until('the second state is shown', () => seen.length === 2);
    daemon.next();
    expect((await watching)?.state).toBe('completed');
    expect(seen).toEqual(['planning', 'executing', 'completed']);
  });
  test('does not subscribe to an ended run', async () => {
    const daemon = scripted(['failed']);
    expect((await watchRun({ connect: daemon.connect, runId: 'r', onChange: () => {}, signal: never }))?.state).toBe(
      'failed',
    );
  });
  test('waits for a restarting daemon, and misses nothing', async () => {
    const daemon = scripted(['planning', 'completed']);
    let told = 0;
    const watching = watchRun({
      connect: daemon.connect,
      runId: 'r',
      onChange: () => {},
      onAway: () => {
        told += 1;
      },
      signal: never,
    });
    await daemon.isFollowed;
    daemon.restart(2);
    expect((await watching)?.state).toBe('completed');
    expect(told).toBe(1);
  });
  test('gives up after a minute without a daemon, and never while its keeper waits', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const daemon = scripted(['planning', 'completed']);
    const watching = watchRun({ connect: daemon.connect, runId: 'r', onChange: () => {}, signal: never });
    await daemon.isFollowed;
    const settled = vi.fn();
    watching.catch(settled);
    daemon.keeper.waits = true;
    daemon.restart(Number.POSITIVE_INFINITY);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(settled).not.toHaveBeenCalled();
    daemon.keeper.waits = false;
    await vi.advanceTimersByTimeAsync(90_000);
    expect(settled.mock.calls).toMatchObject([[{ code: 'daemon_not_running', data: { runId: 'r' } }]]);
  });
  test('returns no run if the person interrupts', async () => {
    const daemon = scripted(['planning']);
    const leave = new AbortController();
    const watching = watchRun({ connect: daemon.connect, runId: 'r', onChange: () => {}, signal: leave.signal });
    await daemon.isFollowed;
    leave.abort();
    expect(await watching).toBeUndefined();
  });
});
