import type { NewEvent } from '../../../../schemas/events/index.ts';
import type { Phase } from '../run/state.ts';

/** A lane whose work is done enters the merge queue. `base`: the tip of `main`, if it came into the lane just before. */
export function finishLane(phase: Phase, laneId: string, head: string, merged: { base?: string } = {}): NewEvent[] {
  return [
    { type: 'lane.finished', phaseId: phase.id, payload: { laneId, head } },
    { type: 'merge.enqueued', phaseId: phase.id, payload: { laneId, head, ...merged } },
  ];
}
