import { lastCommit } from './query.ts';
import type { Lane, Run } from './state.ts';

/** The lane that always exists: the run's own worktree and branch. */
export const MAIN = 'main';

/** A lane of the run, by id. */
export function laneOf(run: Run, laneId: string): Lane {
  const lane = run.lanes.find(({ id }) => id === laneId);
  if (!lane) throw new TypeError(`run ${run.id} has no lane ${laneId}`);
  return lane;
}

/** The worktree of the lane that has a file, by its path. */
export function worktreeWith(run: Pick<Run, 'lanes' | 'worktreeRoot'>, path: string): string {
  return run.lanes.find((lane) => path.startsWith(`${lane.path}/`))?.path ?? run.worktreeRoot;
}

/** Where a lane is, and where to restore it from. */
export interface LanePlace {
  repoPath: string;
  path: string;
  branch: string;
  /** The commit from which its branch starts, if the branch is gone. */
  startCommit: string;
}

export function placeOf(run: Run, laneId: string): LanePlace {
  const { path, branch, base, head } = laneOf(run, laneId);
  const newest = laneId === MAIN ? lastCommit(run) : head;
  return { repoPath: run.repoPath, path, branch, startCommit: newest ?? base };
}
