/** A lane's worktree from its making to its end, for the rest of the daemon. */
export { type AddedWorktree, type AddWorktree, addWorktree } from './addWorktree.ts';
export { type CleanedLane, type CleanupLane, cleanupLane, listOrphans, type Orphan } from './cleanup.ts';
export { type CommittedWork, type CommitWork, commitWork } from './commitWork.ts';
export { type DiffSince, diffSince } from './diff.ts';
export { dirtyFiles, isDirty } from './dirty.ts';
export { type LanePlace, lanePlace } from './lane.ts';
export { removeWorktree } from './removeWorktree.ts';
export { registerWorktree, restoreWorktree } from './restoreWorktree.ts';
