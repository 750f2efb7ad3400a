import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { landMerge as land } from '../../../repository/merge/landMerge.ts';
import { measureWork } from '../../../repository/worktree/commitWork.ts';

/** Moves the run's branch to a tested merge. After a crash, a merge that the branch contains has landed. */
export const landMerge: Performer<'landMerge'> = async (effect, ports, signal) => {
  const { runId, phaseId, main, from, to, lanes, flaky } = effect;
  await keepWorktree(runId, main, ports);
  ports.faults.at('landMerge.before_land');
  // After an abort nobody would record the landing.
  if (signal.aborted) return undefined;
  const landed = await land({ worktree: main, from, to, laneIds: lanes });
  ports.faults.at('landMerge.after_land');
  if (!landed.landed) return { type: 'mergeRaced', phaseId, from, now: landed.head, lanes };
  return { type: 'mergeLanded', phaseId, from, to, lanes, flaky, work: await measureWork(main, from, to) };
};
