import type { NewEvent } from '../../../schemas/events/index.ts';
import type { Ejection } from '../../../schemas/kinds/lanes/events.ts';
import { headOf } from '../../core/run/lanes.ts';
import type { Lane } from '../../core/run/state.ts';
import type { LanesPhase } from './plan.ts';

/** Facts about an ejection besides the lane; without them, no sentence. */
type Facts = Pick<Ejection, 'cause' | 'base'> & Partial<Pick<Ejection, 'paths' | 'with' | 'results' | 'faults'>>;

/** The event that sends a lane back, or that counts a lost race. */
export function ejected(phase: LanesPhase, lane: Lane, facts: Facts): NewEvent {
  const nth = lane.ejections.length + 1;
  const nothing = { paths: [], with: [], results: [], faults: [] };
  const payload = { laneId: lane.id, head: headOf(lane), nth, ...nothing, ...facts };
  return { type: 'merge.ejected', phaseId: phase.id, payload };
}
