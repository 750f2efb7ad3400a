import type { AcceptedRed, Queue, WaitingLane } from '../../../../../../daemon/kinds/lanes/queue/queue.ts';
import type { MergeTest } from '../../../../../../schemas/kinds/lanes/events.ts';

/** What the log of a run tells about its merge queue. */
export type Entry =
  | { type: 'enqueued'; lane: WaitingLane }
  | { type: 'tested'; test: MergeTest }
  | { type: 'landed'; from: string; to: string; lanes: string[]; flaky: string[] }
  | { type: 'ejected'; laneId: string; cause: 'own' | 'interaction' | 'conflict'; with: string[] }
  | { type: 'accepted'; red: AcceptedRed[] }
  /** Somebody else moved the branch. */
  | { type: 'moved'; main: string };

export interface Setup {
  main: string;
  checks: string;
  batch: number;
  searches: boolean;
}

/** The queue as it follows from the log alone, as after a restart. */
export function queueOf({ main, checks, batch, searches }: Setup, log: readonly Entry[]): Queue {
  const nothing = { waiting: [], late: [], landed: [], tests: [], acceptedRed: null };
  const start: Queue = { main, checks, batch, ...nothing, searches };
  return log.reduce((queue, entry) => ({ ...fold(queue, entry), late: lateAfter(queue, entry) }), start);
}

function lateAfter({ late }: Queue, entry: Entry): readonly string[] {
  return entry.type === 'enqueued' ? [...late, entry.lane.laneId] : [];
}

function fold(queue: Queue, entry: Entry): Queue {
  switch (entry.type) {
    case 'enqueued':
      return { ...queue, waiting: [...queue.waiting, entry.lane] };
    case 'tested':
      return { ...queue, tests: [...queue.tests, entry.test] };
    case 'ejected':
      return { ...queue, waiting: queue.waiting.filter(({ laneId }) => laneId !== entry.laneId) };
    case 'accepted':
      return { ...queue, acceptedRed: [...(queue.acceptedRed ?? []), ...entry.red] };
    case 'moved':
      return { ...queue, main: entry.main };
    case 'landed': {
      const landed = entry.lanes.map((laneId) => ({ laneId, before: entry.from, commit: entry.to }));
      const waiting = queue.waiting.filter(({ laneId }) => !entry.lanes.includes(laneId));
      return { ...queue, main: entry.to, waiting, landed: [...queue.landed, ...landed] };
    }
  }
}
