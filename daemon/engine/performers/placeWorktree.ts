import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';
import { inputsHash, placeFiles } from './setupFiles.ts';

/** Gives a worktree what it needs of the person's checkout, and finds out which commands must run. */
export const placeWorktree: Performer<'placeWorktree'> = async (effect, ports, signal) => {
  const { runId, laneId, nth, lane, setup } = effect;
  const begin = steadyNow();
  await keepWorktree(runId, lane, ports);
  ports.faults.at('placeWorktree.before_place');
  const placed = await placeFiles({ checkout: lane.repoPath, worktree: lane.path, setup, signal });
  ports.faults.at('placeWorktree.placed');
  const inputs = await inputsHash(lane.path, setup.again);
  const ms = Math.round(steadyNow() - begin);
  return { type: 'worktreePlaced', laneId, nth, inputs, ...placed, ports: effect.ports, ms };
};
