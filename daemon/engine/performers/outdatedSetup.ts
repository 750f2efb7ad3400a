import { eitherOf } from '../../../schemas/text/phrases.ts';
import type { OutcomeOf } from '../../core/effect/outcome.ts';
import type { LanePlace } from '../../core/run/lanes.ts';
import type { SetupCheck } from '../../core/run/setupCheck.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { inputsHash } from '../../setup/inputs.ts';
import { readSetupState } from '../../setup/setupState.ts';
import type { PerformerPorts } from './performer.ts';

/** The outcome for a worktree that is not as it was set up; undefined if it is. */
export async function outdatedSetup(
  lane: LanePlace,
  setup: SetupCheck | undefined,
  { config }: Pick<PerformerPorts, 'config'>,
): Promise<OutcomeOf<'setupOutdated'> | undefined> {
  if (setup) await registerWorktree({ ...lane, filters: config.git.filters });
  const reason = setup && (await whyOutdated(lane, setup));
  return setup && reason ? { type: 'setupOutdated', laneId: setup.laneId, nth: setup.nth, reason } : undefined;
}

async function whyOutdated(lane: LanePlace, { again, inputs }: SetupCheck): Promise<string | undefined> {
  // It goes with the worktree.
  const { done } = await readSetupState(await openPrivateGit(lane));
  if (done === null) return 'the worktree was made anew';
  return (await inputsHash(lane.path, again)) === inputs ? undefined : `${eitherOf(again)} changed`;
}
