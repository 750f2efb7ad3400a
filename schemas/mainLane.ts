/** The lane that always exists: the run's own worktree and branch. */
export const MAIN = 'main';
