import type { LANE_STATES, RUN_STATES } from './names.ts';

type RunState = (typeof RUN_STATES)[number];
type LaneState = (typeof LANE_STATES)[number];

/** Not in `enums.ts`, because that loads zod, and the dashboard starts without it. */
export const TERMINAL_RUN_STATES = ['completed', 'failed', 'aborted'] as const satisfies readonly RunState[];

/** True if the run has ended. */
export function isTerminal(state: RunState): boolean {
  return (TERMINAL_RUN_STATES as readonly RunState[]).includes(state);
}

export const TERMINAL_LANE_STATES = ['landed', 'abandoned', 'closed'] as const satisfies readonly LaneState[];

/** True if the lane has ended: nobody works in it any more. */
export function isLaneEnded(state: LaneState): boolean {
  return (TERMINAL_LANE_STATES as readonly LaneState[]).includes(state);
}
