import type { OutcomeOf } from '../../core/effect/outcome.ts';
import type { LanePlace } from '../../core/run/lanes.ts';
import type { SetupCheck } from '../../core/run/setupCheck.ts';
import { inputsHash } from './setupFiles.ts';

/** What to report instead of using a worktree that is not as it was set up; undefined if it is. */
export async function outdatedSetup(
  lane: LanePlace,
  setup: SetupCheck | undefined,
): Promise<OutcomeOf<'setupOutdated'> | undefined> {
  if (!setup || (await inputsHash(lane.path, setup.again)) === setup.inputs) return undefined;
  const { laneId, nth, again } = setup;
  return { type: 'setupOutdated', laneId, nth, reason: `${again.join(', ')} changed since it was set up` };
}
