import type { StateRules } from '../stateRules.ts';

export interface DirectState {
  /** Set once the person said that the work is finished. `now`: whatever the agent does. */
  finish: { now: boolean } | null;
  /** The text that the newest attempt with a text of its own brings: what the run is for, or what the person wants changed. */
  asks: { why: 'requirements' | 'changes'; attempt: number } | null;
}

export const directState: StateRules<DirectState> = {
  initial: { finish: null, asks: null },
  // Only the person ends it.
  endsWithAssignments: false,
};
