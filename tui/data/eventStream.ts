import type { EventView } from '../../schemas/rpc/views/run.ts';
import { type Followed, followed } from './followed.ts';
import { createInterner } from './intern.ts';

/** Follows the events of one run. After a reconnection it resumes where it was: no event is lost or comes twice. */
export function followEvents(runId: string, afterSeq: number, onEvents: (events: EventView[]) => void): Followed {
  let lastSeq = afterSeq;
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

  return followed(
    () => ({ runId, afterSeq: lastSeq, kinds: ['run.event_appended'] }),
    (notification) => {
      if (notification.event === 'run.event_appended') take(notification.data);
    },
  );
}
