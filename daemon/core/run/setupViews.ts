import type { SetupView } from '../../../schemas/rpc/views/setup.ts';
import type { LaneSetup } from './laneSetup.ts';
import type { Run } from './state.ts';

/** The set-up of each worktree; undefined for a run that sets none up. */
export function setupViews({ setup: how, lanes }: Run): SetupView[] | undefined {
  if (!how) return undefined;
  return lanes.flatMap(({ id: laneId, setup }): SetupView[] => {
    if (!setup) return [];
    const { nth, reason, placed, refused, ports, changed, excluded } = setup;
    const state = stateOf(setup);
    const ms = state === 'running' ? null : setup.ms;
    return [{ laneId, state, nth, isGuess: how.isGuess, reason, ms, placed, refused, ports, changed, excluded }];
  });
}

function stateOf({ state }: LaneSetup): SetupView['state'] {
  return state === 'placed' || state === 'due' ? 'running' : state;
}
