import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { backoffMs } from '../../schemas/time/steadyTime.ts';
import type { Client } from '../client/connect.ts';

const CODES = ['daemon_not_running', 'shutting_down', 'db_unreachable'];

/** True if the daemon is gone or ends soon. A daemon that reports a lost database ends soon. */
export function isAway(error: unknown): boolean {
  return CODES.includes((error as { code?: string }).code ?? '');
}

export interface FollowOptions {
  /** Called again after every loss of the connection. */
  connect(): Promise<Client>;
  runId: string;
  /** Absent: only new events. */
  afterSeq?: number;
  /** In order of seq, each event once, over any number of reconnects. */
  onEvent(event: EventView): void;
  /** A backup was restored, and the log is another one: its events follow from the first. */
  onRestored?(): void;
  /** All other notifications. Some may be lost before `onReconnect`, so fetch again then. */
  onHint?(hint: NotificationParams): void;
  onReconnect?(): void;
  /** Ends the following. */
  signal: AbortSignal;
  /** Waits before attempt `n`, counted from 0. Tests do not wait. */
  wait?(attempt: number, signal: AbortSignal): Promise<void>;
}

/**
 * Follows a run until the signal aborts. If the daemon stops, it waits for a new one and continues after the last seq. Only
 * the first connection may fail.
 */
export async function followRun(options: FollowOptions): Promise<void> {
  const { connect, runId, onEvent, onRestored, onHint, onReconnect, signal, wait = waitLonger } = options;
  let lastSeq = options.afterSeq;
  let lastTs: string | undefined;
  let attempt = 0;

  const listen = (notification: NotificationParams) => {
    if (signal.aborted) return;
    if (notification.event !== 'run.event_appended') return onHint?.(notification);
    const { seq, ts } = notification.data;
    // The daemon starts again only if it does not have what we have seen.
    if (seq === 1 && lastTs !== undefined) onRestored?.();
    else if (lastSeq !== undefined && seq <= lastSeq) return;
    lastSeq = seq;
    lastTs = ts;
    onEvent(notification.data);
  };
  const session = async (first: boolean) => {
    const client = await connect();
    const stop = () => client.close();
    try {
      signal.addEventListener('abort', stop);
      if (signal.aborted) return;
      // The first events may be in the packet of the answer, which says what they follow.
      const early: NotificationParams[] = [];
      let take: (notification: NotificationParams) => void = (notification) => early.push(notification);
      const params = { runId, afterSeq: lastSeq, afterTs: lastTs };
      const { afterSeq } = await client.subscribe(params, (notification) => take(notification));
      // Set even before the first event, so that events during an outage are not skipped. A restored log may end earlier.
      lastSeq = Math.min(lastSeq ?? Number.POSITIVE_INFINITY, afterSeq ?? 0);
      take = listen;
      for (const notification of early) listen(notification);
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

/** Waits before attempt `n`, each time longer, or until the signal aborts. */
export function waitLonger(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, backoffMs(attempt, { firstMs: 100, longestMs: 5_000 }));
    signal.addEventListener('abort', done);
  });
}
