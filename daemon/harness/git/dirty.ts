import { type LanePlace, openLane } from '../lane/lane.ts';
import { readStatus } from '../lane/laneStatus.ts';
import { createGit, type Git } from './git.ts';

/**
 * Files that differ from devflow's branch, relative to the worktree. Repositories inside the worktree count, and end with a
 * slash. Ignored files do not count.
 */
export async function dirtyFiles(place: LanePlace, git: Git = createGit()): Promise<string[]> {
  const { files, nested } = await readStatus(await openLane(place, git));
  return [...files, ...nested];
}

/** True when something in the worktree is not committed. */
export async function isDirty(place: LanePlace, git: Git = createGit()): Promise<boolean> {
  return (await dirtyFiles(place, git)).length > 0;
}
