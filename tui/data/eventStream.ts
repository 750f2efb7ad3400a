import type { Client, ClientSubscription } from '../../cli/client/connect.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { createInterner } from './intern.ts';

/** Follows the events of one run. After a reconnection it resumes where it was: no event is lost or comes twice. */
export interface EventStream {
  use(client: Client | undefined): void;
  close(): void;
}

export function followEvents(runId: string, afterSeq: number, onEvents: (events: EventView[]) => void): EventStream {
  let lastSeq = afterSeq;
  let subscription: ClientSubscription | undefined;
  let current: Client | undefined;
  let waiting: EventView[] = [];
  const intern = createInterner();

  /** Events that arrive together are one event of the dashboard. */
  function take(event: EventView): void {
    if (event.seq <= lastSeq) return;
    lastSeq = event.seq;
    if (waiting.push(intern(event)) > 1) return;
    setImmediate(() => {
      const batch = waiting;
      waiting = [];
      onEvents(batch);
    });
  }

  return {
    use(client) {
      current = client;
      if (!client) return;
      client
        .subscribe({ runId, afterSeq: lastSeq, kinds: ['run.event_appended'] }, (notification) => {
          if (client === current && notification.event === 'run.event_appended') take(notification.data);
        })
        .then((opened) => {
          if (client === current) subscription = opened;
          else void opened.close().catch(() => {});
        })
        // The link reports a lost connection and opens another.
        .catch(() => {});
    },
    close() {
      current = undefined;
      void subscription?.close().catch(() => {});
    },
  };
}
