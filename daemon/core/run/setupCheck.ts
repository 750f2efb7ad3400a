import { laneOf } from './lanes.ts';
import type { Run } from './state.ts';

/** A performer checks this before an agent or a command uses the worktree. */
export interface SetupCheck {
  laneId: string;
  nth: number;
  /** Paths whose bytes must be those of the set-up. */
  again: string[];
  /** The hash of them; null if the set-up did not come so far. */
  inputs: string | null;
}

/** The number of set-ups in a row while nothing else happens in the worktree. One may change what it depends on. */
const MOST_IN_ROW = 3;

/** The check before an agent or a command works in the lane. None if the lane goes on without a set-up. */
export function setupCheck(run: Run, laneId: string): { setup?: SetupCheck } {
  const { setup } = laneOf(run, laneId);
  if (!run.setup || setup?.state !== 'done' || setup.inRow >= MOST_IN_ROW) return {};
  return { setup: { laneId, nth: setup.nth, again: run.setup.again, inputs: setup.inputs } };
}
