import { DevflowError } from '../../schemas/errors.ts';
import { GLOBAL_NOTIFICATIONS, NOTIFICATIONS, type NotificationName } from '../../schemas/rpc/notifications.ts';
import type { EventBus } from './bus.ts';
import { createSubscription, type ReadEvents, type Sink, type Subscription } from './subscription.ts';

const HEARTBEAT_MS = 15_000;

export interface SubscriptionsOptions {
  bus: EventBus;
  readEvents: ReadEvents;
  /** Newest seq of a run; 0 when it has no events. */
  readLastSeq(runId: string): Promise<number>;
  onError(error: unknown): void;
  /** Calls back when contract files of the repository may have changed, until the returned function is called. */
  watchContracts?(repo: string, onChange: () => void): () => void;
  now?(): Date;
  /** Repeats `tick`; returns a function that stops it. Tests call `tick` themselves. */
  every?(ms: number, tick: () => void): () => void;
  pageSize?: number;
}

/** A subscription that buffers, and delivers once started. */
export interface Opened {
  readonly id: string;
  readonly runId: string | null;
  readonly afterSeq: number | null;
  /** Call when the subscriber knows the id. */
  start(): void;
  close(): void;
}

export interface Subscriptions {
  open(
    request: {
      runId: string | null;
      afterSeq?: number;
      afterTs?: string;
      kinds?: readonly NotificationName[];
      repo?: string;
    },
    sink: Sink,
  ): Promise<Opened>;
  count(): number;
  close(): void;
}

/** All subscriptions of the daemon. One timer serves them all and runs only while there are any. */
export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { bus, readLastSeq, now = () => new Date(), every = unrefInterval, watchContracts = () => () => {} } = options;
  const open = new Map<string, Opened>();
  const beating = new Set<Subscription>();
  let stopBeat: (() => void) | undefined;
  let counter = 0;

  const beat = () => {
    const at = now().toISOString();
    for (const subscription of beating) subscription.beat(at);
  };

  /** The start of a replay. A restored backup ends before the reader's last event, or continues otherwise. */
  async function startOf(runId: string, afterSeq?: number, afterTs?: string): Promise<number> {
    if (afterSeq === undefined || afterTs === undefined || afterSeq === 0) {
      const lastSeq = await readLastSeq(runId);
      return Math.min(afterSeq ?? lastSeq, lastSeq);
    }
    const [event] = await options.readEvents(runId, afterSeq - 1, 1);
    return event?.seq === afterSeq && event.ts === afterTs ? afterSeq : 0;
  }

  return {
    async open({ runId, afterSeq, afterTs, kinds, repo }, sink) {
      const wanted = wantedKinds({ runId, afterSeq, kinds, repo });
      counter += 1;
      const { readEvents, onError, pageSize } = options;
      const subscription = createSubscription({
        id: `sub-${counter}`,
        runId,
        kinds: wanted,
        sink,
        readEvents,
        onError,
        pageSize,
      });
      const unlisten = bus.listen(runId, subscription.accept);
      const unwatch =
        repo !== undefined && wanted.has('contracts.changed')
          ? watchContracts(repo, () =>
              subscription.accept({ events: [], hints: [{ event: 'contracts.changed', data: { repo } }] }),
            )
          : undefined;
      const close = () => {
        unlisten();
        unwatch?.();
        subscription.close();
        open.delete(subscription.id);
        beating.delete(subscription);
        if (beating.size === 0) {
          stopBeat?.();
          stopBeat = undefined;
        }
      };
      try {
        // Read the seq after listening starts: later commits are in the log or arrive live.
        const from = runId === null ? null : await startOf(runId, afterSeq, afterTs);
        const start = () => {
          if (!open.has(subscription.id)) return;
          beating.add(subscription);
          stopBeat ??= every(HEARTBEAT_MS, beat);
          subscription.start(from ?? 0);
        };
        const opened: Opened = { id: subscription.id, runId, afterSeq: from, start, close };
        open.set(subscription.id, opened);
        return opened;
      } catch (error) {
        close();
        throw error;
      }
    },
    count: () => open.size,
    close() {
      for (const opened of [...open.values()]) opened.close();
    },
  };
}

function wantedKinds({
  runId,
  afterSeq,
  kinds,
  repo,
}: Parameters<Subscriptions['open']>[0]): ReadonlySet<NotificationName> {
  if (repo === undefined && kinds?.includes('contracts.changed'))
    throw new DevflowError('usage', 'contracts.changed needs repo.');
  if (runId !== null) return new Set(kinds ?? (Object.keys(NOTIFICATIONS) as NotificationName[]));
  if (afterSeq !== undefined)
    throw new DevflowError('usage', 'afterSeq needs runId, because seq counts within one run.');
  if (kinds?.includes('run.event_appended')) throw new DevflowError('usage', 'run.event_appended needs runId.');
  return new Set(kinds ?? [...GLOBAL_NOTIFICATIONS, ...(repo === undefined ? [] : (['contracts.changed'] as const))]);
}

function unrefInterval(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
}
