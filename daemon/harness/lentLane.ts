import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from './git.ts';
import { type Lane, type LanePlace, makeLane, openLane } from './lane.ts';
import { commonDirectory } from './repositoryFiles.ts';

/** A worktree that is gone has no git directory of devflow's own any more: one is lent, so that a person still sees the work. */
export async function withAnyLane<T>(place: LanePlace, git: Git, use: (lane: Lane) => Promise<T>): Promise<T> {
  const lane = await openLane(place, git).catch(() => undefined);
  if (lane) return use(lane);
  return withLentLane(place, await commonDirectory(place.repoPath), git, use);
}

/** A git directory of devflow's own beside no worktree, for the time of `use`. No filter of anybody runs in it. */
export async function withLentLane<T>(
  place: LanePlace,
  common: string,
  git: Git,
  use: (lane: Lane) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'devflow-git-'));
  try {
    return await use(await makeLane(place, common, { directory, ref: null, lock: null }, git, []));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
