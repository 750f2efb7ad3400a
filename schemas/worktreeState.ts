/** Where a run's branch and its worktree stand: what a gate about code binds. */
export interface WorktreeState {
  /** The commit of the run's branch. */
  head: string;
  /** The tree of that commit. */
  tree: string;
  /** Files of the worktree that no commit has, at most 100. Ignored files do not count. */
  files: string[];
  /** A hash of those files and of what is checked out; null where the worktree is exactly `head`. */
  uncommitted: string | null;
}
