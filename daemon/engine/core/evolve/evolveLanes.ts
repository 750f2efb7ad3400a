import type { RunEvent } from '../../../../schemas/events/index.ts';
import type { Run } from '../run/state.ts';

type LaneEvent = Extract<RunEvent, { type: `lane.${string}` | `task.${string}` | `merge.${string}` }>;

/** Lanes, tasks and the merge queue. */
export function evolveLanes(run: Run, _event: LaneEvent): Run {
  return run;
}
