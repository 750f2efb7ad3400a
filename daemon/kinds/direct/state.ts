import type { StateRules } from '../stateRules.ts';

export interface DirectState {
  /** Set once the person said that the work is finished. `now`: whatever the agent does. */
  finish: { now: boolean } | null;
  /** The newest text for the agent: what the run is for, or what the person wants changed. Null: it has none. */
  asks: { why: 'requirements' | 'changes'; attempt: number } | null;
}

export const directState: StateRules<DirectState> = {
  initial: { finish: null, asks: null },
  // Only the person ends it.
  endsWithAssignments: false,
};
