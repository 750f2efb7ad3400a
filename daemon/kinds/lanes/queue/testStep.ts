import type { LaneHead } from '../../../../schemas/kinds/lanes/events.ts';
import type { MergeStep } from './queue.ts';

export function testStep(base: string, lanes: readonly LaneHead[], nth: number): Extract<MergeStep, { do: 'test' }> {
  return { do: 'test', base, lanes: lanes.map(({ laneId, head }) => ({ laneId, head })), nth };
}
