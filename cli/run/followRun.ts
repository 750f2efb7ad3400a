import { DevflowError } from '../../schemas/errors.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { Client } from '../client/connect.ts';

export interface FollowOptions {
  /** Called again after every loss of the connection. */
  connect(): Promise<Client>;
  runId: string;
  /** Absent: only what comes. */
  afterSeq?: number;
  /** In order of seq, each event once, over any number of reconnects. */
  onEvent(event: EventView): void;
  /** Everything that is no event. After `onReconnect` such hints may have been missed: fetch again. */
  onHint?(hint: NotificationParams): void;
  onReconnect?(): void;
  /** Ends the following. */
  signal: AbortSignal;
  /** Milliseconds to wait before try `n` (from 0); tests wait for nothing. */
  wait?(attempt: number, signal: AbortSignal): Promise<void>;
}

/**
 * Follows a run until the signal says stop, from the last seq again whenever the daemon comes back. Only the first
 * connection may fail; afterwards a daemon that is away is waited for.
 */
export async function followRun(options: FollowOptions): Promise<void> {
  const { connect, runId, onEvent, onHint, onReconnect, signal, wait = backoff } = options;
  let lastSeq = options.afterSeq;
  let attempt = 0;

  const listen = (notification: NotificationParams) => {
    if (signal.aborted) return;
    if (notification.event !== 'run.event_appended') return onHint?.(notification);
    if (lastSeq !== undefined && notification.data.seq <= lastSeq) return;
    lastSeq = notification.data.seq;
    onEvent(notification.data);
  };
  const session = async (first: boolean) => {
    const client = await connect();
    const stop = () => client.close();
    try {
      signal.addEventListener('abort', stop);
      if (signal.aborted) return;
      const { afterSeq } = await client.subscribe({ runId, afterSeq: lastSeq }, listen);
      // Pinned even while nothing has come, so that what happens during an outage is not skipped.
      lastSeq ??= afterSeq ?? 0;
      attempt = 0;
      if (!first) onReconnect?.();
      await client.closed;
    } finally {
      signal.removeEventListener('abort', stop);
      client.close();
    }
  };

  for (let first = true; !signal.aborted; first = false) {
    try {
      await session(first);
    } catch (error) {
      if (signal.aborted) return;
      if (first || !isAway(error)) throw error;
    }
    if (!signal.aborted) await wait(attempt++, signal);
  }
}

function isAway(error: unknown): boolean {
  return error instanceof DevflowError && (error.code === 'daemon_not_running' || error.code === 'shutting_down');
}

function backoff(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(5000, 100 * 2 ** attempt));
    signal.addEventListener('abort', done);
  });
}
