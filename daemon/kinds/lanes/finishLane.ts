import type { NewEvent } from '../../../schemas/events/index.ts';
import type { Lane } from '../../core/run/state.ts';
import type { LanesPhase } from './plan.ts';

/** A lane whose work is done enters the merge queue. `base`: the tip of `main`, if it came into the lane just before. */
export function finishLane(phase: LanesPhase, lane: Lane, head: string, merged: { base?: string } = {}): NewEvent[] {
  const { id: laneId, ejections, reopens } = lane;
  // An agent can leave its lane as it is, for example because it thinks that a check is flaky.
  const returns = ejections.filter((ejection) => ejection.head === head).length + reopens.length;
  const finished = { laneId, head, ...(returns > 0 ? { again: returns } : {}) };
  return [
    { type: 'lane.finished', phaseId: phase.id, payload: finished },
    { type: 'merge.enqueued', phaseId: phase.id, payload: { ...finished, ...merged } },
  ];
}
