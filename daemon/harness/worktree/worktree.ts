/** A lane's worktree from its making to its end, for the rest of the daemon. */

export { dirtyFiles, isDirty } from '../git/dirty.ts';
export { type CommittedWork, type CommitWork, commitWork } from '../lane/commitWork.ts';
export { type LanePlace, lanePlace } from '../lane/lane.ts';
export { type AddedWorktree, type AddWorktree, addWorktree } from './addWorktree.ts';
export { type CleanedLane, type CleanupLane, cleanupLane, listOrphans, type Orphan } from './cleanup.ts';
export { type DiffSince, diffSince } from './diff.ts';
export { removeWorktree } from './removeWorktree.ts';
export { registerWorktree, restoreWorktree } from './restoreWorktree.ts';
