import { DevflowError } from '../../../schemas/errors.ts';
import type { LanePlace } from '../../core/run/lanes.ts';
import { isDirectory } from '../../repository/git/repositoryFiles.ts';
import { restoreWorktree } from '../../repository/worktree/restoreWorktree.ts';
import type { PerformerPorts } from './performer.ts';
import { placeReader } from './placeReader.ts';

/** Makes the worktree of a lane before devflow uses it, from its branch if it has one. True if it was missing. */
export async function keepWorktree(
  runId: string,
  lane: LanePlace,
  { config, log }: Pick<PerformerPorts, 'config' | 'log'>,
): Promise<boolean> {
  if (await isDirectory(lane.path)) return false;
  if (lane.isCheckout) throw checkoutGone(lane.path);
  if (lane.isDetached) {
    await placeReader(lane, { config });
    return true;
  }
  const made = await restoreWorktree({ ...lane, filters: config.git.filters });
  if (made) log.info({ runId, worktree: lane.path }, 'made the missing worktree from its branch');
  return made;
}

function checkoutGone(path: string): DevflowError {
  return new DevflowError('repo_invalid', `Your checkout ${path} is gone, and devflow makes no new one.`, {
    recoveryHint: 'Put it back, then approve to try again.',
  });
}

/** The agent still runs in the removed directory, so it must restart in the new one. */
export function worktreeRestored(cwd: string): DevflowError {
  return new DevflowError(
    'git_failed',
    `The worktree ${cwd} was gone. devflow restored it from its branch; uncommitted changes are lost.`,
  );
}
