import type { RunEvent } from '../../schemas/events/index.ts';
import type { Notification, NotificationName, NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { BusItem } from './bus.ts';
import { createHintQueue } from './hints.ts';

/** Events per read of the log. If more live events wait, they are dropped and the log is read again. */
export const PAGE = 500;

/**
 * The receiver of notifications. `writable` returns a promise while the reader is slow. It must also resolve when the
 * reader leaves.
 */
export interface Sink {
  writable(): Promise<void> | undefined;
  send(params: NotificationParams): void;
}

/** The log, as subscriptions need it: events of a run with `seq > afterSeq`, in order, at most `limit`. */
export type ReadEvents = (runId: string, afterSeq: number, limit: number) => Promise<RunEvent[]>;

export interface SubscriptionOptions {
  id: string;
  runId: string | null;
  kinds: ReadonlySet<NotificationName>;
  sink: Sink;
  readEvents: ReadEvents;
  onError(error: unknown): void;
  pageSize?: number;
}

export interface Subscription {
  readonly id: string;
  readonly runId: string | null;
  /** Takes an item of the bus. May be called before `start`; nothing is lost. */
  accept(item: Pick<BusItem, 'events' | 'hints'>): void;
  beat(at: string): void;
  /** Delivers every event after this seq once, in order, until closed. */
  start(afterSeq: number): void;
  close(): void;
}

/**
 * One reader's position in a run. The log is the source; a live queue saves reads while the reader keeps up. If the queue
 * overflows or has a gap, it is dropped and the log is read from the cursor. So memory is bounded, and the order of delivery
 * does not depend on the order of publishing.
 */
export function createSubscription(options: SubscriptionOptions): Subscription {
  const { id, runId, kinds, sink, readEvents, onError, pageSize = PAGE } = options;
  const sequenced = runId !== null && kinds.has('run.event_appended');
  const hints = createHintQueue();
  let cursor = 0;
  let live: RunEvent[] = [];
  let behind = sequenced;
  let closed = false;
  let nudged = false;
  let wake: (() => void) | undefined;

  const nudge = () => {
    nudged = true;
    wake?.();
  };
  const idle = async () => {
    if (!nudged && !closed) await new Promise<void>((resolve) => (wake = resolve));
    wake = undefined;
    nudged = false;
  };
  const fallBehind = () => {
    live = [];
    behind = true;
  };
  const emit = async (notification: Notification) => {
    await sink.writable();
    if (!closed) sink.send({ subscriptionId: id, ...notification });
  };
  const emitEvent = async (event: RunEvent) => {
    await emit({ event: 'run.event_appended', data: event });
    cursor = event.seq;
  };
  const replay = async (ofRun: string) => {
    // Cleared before the read, so that concurrent commits arrive live, in the page, or both.
    behind = false;
    live = [];
    const page = await readEvents(ofRun, cursor, pageSize);
    if (page.length >= pageSize) fallBehind();
    for (const event of page) {
      if (closed) return;
      await emitEvent(event);
    }
  };
  const drainLive = async () => {
    for (let event = live.shift(); event && !closed; event = live.shift()) {
      if (event.seq <= cursor) continue;
      if (event.seq > cursor + 1) return fallBehind();
      await emitEvent(event);
    }
  };
  const drainHints = async () => {
    for (let hint = hints.take(); hint && !closed; hint = hints.take()) {
      await emit(hint.event === 'heartbeat' ? { ...hint, data: { ...hint.data, lost: hints.takeLost() } } : hint);
    }
  };
  const pump = async () => {
    while (!closed) {
      try {
        while (behind && runId !== null && !closed) {
          await replay(runId);
          await drainHints();
        }
        await drainLive();
        await drainHints();
      } catch (error) {
        // The next commit or heartbeat retries the read from the cursor.
        if (closed) return;
        onError(error);
        if (sequenced) fallBehind();
        nudged = false;
        await idle();
        continue;
      }
      if (!behind) await idle();
    }
  };

  return {
    id,
    runId,
    accept(item) {
      if (closed) return;
      for (const event of sequenced ? item.events : []) {
        if (behind) break;
        if (live.length >= pageSize) fallBehind();
        else live.push(event);
      }
      for (const hint of item.hints) if (kinds.has(hint.event)) hints.add(hint);
      nudge();
    },
    beat(at) {
      if (closed) return;
      if (kinds.has('heartbeat'))
        hints.add({ event: 'heartbeat', data: { at, lastSeq: sequenced ? cursor : null, lost: 0 } });
      nudge();
    },
    start(afterSeq) {
      cursor = afterSeq;
      void pump();
    },
    close() {
      closed = true;
      live = [];
      wake?.();
    },
  };
}
