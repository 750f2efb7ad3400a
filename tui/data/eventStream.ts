import type { EventView } from '../../schemas/rpc/views/run.ts';
import { type Followed, followed } from './followed.ts';
import { createInterner } from './intern.ts';

/**
 * Follows the events of one run after the last one that is known. After a reconnection it resumes where it was: no event is
 * lost or comes twice. If a backup was restored meanwhile, all events come again.
 */
export function followEvents(
  runId: string,
  known: Pick<EventView, 'seq' | 'ts'> | undefined,
  /** `isOther`: the log is another one, which begins with these. */
  onEvents: (events: EventView[], isOther: boolean) => void,
): Followed {
  let last = known;
  let waiting: EventView[] = [];
  let isOther = false;
  const intern = createInterner();

  /** Events that arrive together are one event of the dashboard. */
  function take(event: EventView): void {
    // The daemon starts again only if it does not have what we have seen.
    if (last && event.seq <= last.seq && event.seq !== 1) return;
    if (last && event.seq === 1) [waiting, isOther] = [[], true];
    last = event;
    if (waiting.push(intern(event)) > 1) return;
    setImmediate(() => {
      const [batch, begins] = [waiting, isOther];
      [waiting, isOther] = [[], false];
      if (batch.length > 0) onEvents(batch, begins);
    });
  }

  return followed(
    () => ({ runId, afterSeq: last?.seq ?? 0, afterTs: last?.ts, kinds: ['run.event_appended'] }),
    (notification) => {
      if (notification.event === 'run.event_appended') take(notification.data);
    },
  );
}
