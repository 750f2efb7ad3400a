import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { watchState } from '../../../cli/run/watchState.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { until } from '../../helpers/until.ts';

/** A daemon whose state is a word. Each look reads it, and a change may be announced. */
function scripted(first: string) {
  let word = first;
  let away = 0;
  let keeperWaits = false;
  let notify = (_change: object) => {};
  let drop = () => {};
  let looks = 0;
  let subscribed = 0;
  const gone = () => new DevflowError('daemon_not_running', 'away', { data: { waits: keeperWaits } });
  const connect = async (): Promise<Client> => {
    if (away > 0) {
      away -= 1;
      throw gone();
    }
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    drop = close;
    return {
      request: async () => word,
      subscribe: async (_params: unknown, listen: (change: object) => void) => {
        notify = listen;
        subscribed += 1;
        return { id: 's', runId: null, afterSeq: null, close: async () => {} };
      },
      closed,
      close,
    } as unknown as Client;
  };
  return {
    connect,
    look: async (client: Client) => {
      looks += 1;
      const seen = (await client.request('x')) as string;
      return seen === 'over' ? seen : undefined;
    },
    concerns: ({ data }: { data: object }) => !('runId' in data) || data.runId === 'mine',
    looks: () => looks,
    subscribed: () => subscribed,
    becomes(now: string, change: object) {
      word = now;
      notify(change);
    },
    beat: (lost: number) => notify({ event: 'heartbeat', data: { at: '', lastSeq: null, lost } }),
    restarts(now: string, tries: number) {
      word = now;
      away = tries;
      drop();
    },
    keeperWaits: (is: boolean) => {
      keeperWaits = is;
    },
  };
}

const never = new AbortController().signal;
const mine = { event: 'run.state_changed', data: { runId: 'mine' } };
const others = { event: 'run.state_changed', data: { runId: 'other' } };
const noWait = async () => {};

describe('watchState', () => {
  test('ends at the first look if it is so already', async () => {
    const daemon = scripted('over');
    expect(await watchState({ ...daemon, signal: never })).toBe('over');
    expect(daemon.looks()).toBe(1);
  });

  test('looks again after a change that concerns it, and after no other', async () => {
    const daemon = scripted('open');
    const watching = watchState({ ...daemon, signal: never });
    await until('it has looked', () => daemon.looks() === 1);
    daemon.becomes('open', others);
    daemon.beat(0);
    daemon.becomes('open', mine);
    await until('it has looked again', () => daemon.looks() === 2);
    daemon.becomes('over', mine);
    expect(await watching).toBe('over');
    expect(daemon.looks()).toBe(3);
  });

  test('looks again when notifications were lost', async () => {
    const daemon = scripted('open');
    const watching = watchState({ ...daemon, signal: never });
    await until('it has looked', () => daemon.looks() === 1);
    daemon.becomes('over', others);
    daemon.beat(3);
    expect(await watching).toBe('over');
  });

  test('waits for a restarting daemon, and says so once', async () => {
    const daemon = scripted('open');
    const onAway = vi.fn();
    const watching = watchState({ ...daemon, onAway, signal: never, wait: noWait });
    await until('it has looked', () => daemon.looks() === 1);
    daemon.restarts('over', 2);
    expect(await watching).toBe('over');
    expect(onAway).toHaveBeenCalledTimes(1);
    expect(daemon.subscribed()).toBe(2);
  });

  test('waits for a daemon that ends during the first look', async () => {
    const daemon = scripted('over');
    const look = vi.fn(daemon.look);
    look.mockRejectedValueOnce(new DevflowError('shutting_down', 'ends'));
    expect(await watchState({ ...daemon, look, signal: never, wait: noWait })).toBe('over');
  });

  test('needs a daemon at the beginning, and passes other errors on', async () => {
    const away = scripted('open');
    away.restarts('open', 1);
    await expect(watchState({ ...away, signal: never })).rejects.toMatchObject({ code: 'daemon_not_running' });
    const daemon = scripted('open');
    const look = async () => {
      throw new DevflowError('not_found', 'no such run');
    };
    await expect(watchState({ ...daemon, look, signal: never })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('gives up after a minute without a daemon, and never while its keeper waits', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const daemon = scripted('open');
    const watching = watchState({ ...daemon, signal: never });
    const settled = vi.fn();
    watching.catch(settled);
    await vi.advanceTimersByTimeAsync(0);
    expect(daemon.looks()).toBe(1);
    daemon.keeperWaits(true);
    daemon.restarts('open', Number.POSITIVE_INFINITY);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(settled).not.toHaveBeenCalled();
    daemon.keeperWaits(false);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(settled.mock.calls).toMatchObject([[{ code: 'daemon_not_running' }]]);
  });

  test('ends with nothing when it is aborted, also while the daemon is away', async () => {
    const daemon = scripted('open');
    const leave = new AbortController();
    const watching = watchState({ ...daemon, signal: leave.signal });
    await until('it has looked', () => daemon.looks() === 1);
    leave.abort();
    expect(await watching).toBeUndefined();
    const later = new AbortController();
    const away = scripted('open');
    const waiting = watchState({ ...away, signal: later.signal });
    await until('it has looked', () => away.looks() === 1);
    away.restarts('open', Number.POSITIVE_INFINITY);
    later.abort();
    expect(await waiting).toBeUndefined();
  });
});
