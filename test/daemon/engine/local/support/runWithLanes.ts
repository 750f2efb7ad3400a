import type { Run } from '../../../../../daemon/core/run/state.ts';
import type { LaneState, RunState } from '../../../../../schemas/enums.ts';
import { givenLanes, lane } from '../../../api/runs/lanes/givenLanes.ts';
import { givenRun } from '../../../report/givenRun.ts';

/** A run with an agent in `main` and one in each of these lanes. */
export function runWithLanes(states: LaneState[], state: RunState = 'executing'): Run {
  const [session] = givenRun().sessions;
  if (!session) throw new TypeError('the run has a session');
  const own = states.map((each, nth) => lane(`lane-${nth + 1}`, { state: each }));
  const ofLane = own.map(({ id }) => ({ ...session, id: `agent of ${id}`, laneId: id }));
  const more = { state, lanes: [...givenRun().lanes, ...own], sessions: [{ ...session, laneId: 'main' }, ...ofLane] };
  return { ...givenLanes({}), ...more };
}
