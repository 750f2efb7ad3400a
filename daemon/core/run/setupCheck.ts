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

/**
 * A worktree may be set up again so often before anything happened in it. It might change what it depends on itself.
 */
const MOST_IN_ROW = 3;

/**
 * The check before something is done in the lane; nothing where a person or a failed guess goes on without a set-up.
 */
export function setupCheck(run: Run, laneId: string): { setup?: SetupCheck } {
  const { setup } = laneOf(run, laneId);
  if (!run.setup || setup?.state !== 'done' || setup.inRow >= MOST_IN_ROW) return {};
  return { setup: { laneId, nth: setup.nth, again: run.setup.again, inputs: setup.inputs } };
}
