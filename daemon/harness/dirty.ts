import { createGit, type Git } from './git.ts';
import { type LanePlace, openLane } from './lane.ts';
import { readStatus } from './laneStatus.ts';

/**
 * Files that devflow's branch does not hold as they are, relative to the worktree, and repositories inside of it, with
 * a slash at the end. Ignored files do not count.
 */
export async function dirtyFiles(place: LanePlace, git: Git = createGit()): Promise<string[]> {
  const { files, nested } = await readStatus(await openLane(place, git));
  return [...files, ...nested];
}

/** True when something in the worktree is not committed. */
export async function isDirty(place: LanePlace, git: Git = createGit()): Promise<boolean> {
  return (await dirtyFiles(place, git)).length > 0;
}
