/** The place of a worktree and its branch. devflow knows it from the log, never from the worktree. */
export interface WorktreePlace {
  repoPath: string;
  /** The worktree. */
  path: string;
  /** `devflow/<runId>/<laneId>`. */
  branch: string;
  /** The content of HEAD where it is not the branch: a commit, or a ref. */
  head?: string;
  /** It is a person's checkout: devflow writes neither there nor in the git directory of it. */
  isCheckout?: true;
  /** Relative paths whose changes do not count; directories end with a slash. */
  except?: readonly string[];
}

/**
 * The place of a run's worktree. Before an event names the branch, it is the branch that the run will get. A run that only
 * reviews may have none: then HEAD is the reviewed commit. In a person's checkout, it is the newest snapshot.
 */
export function worktreeOf(run: {
  id: string;
  repoPath: string;
  worktreeRoot: string;
  branch: string | null;
  reviewHead: string | null;
  exchangePaths: readonly string[];
  here: boolean;
  baseCommit: string;
  lastCommit: string | null;
}): WorktreePlace {
  const except = run.exchangePaths.length > 0 ? { except: run.exchangePaths } : {};
  const place = { ...except, repoPath: run.repoPath, path: run.worktreeRoot };
  if (run.branch !== null) return { ...place, branch: run.branch };
  const noBranch = { ...place, branch: `devflow/${run.id}/main` };
  if (run.here) return { ...noBranch, head: run.lastCommit ?? run.baseCommit, isCheckout: true };
  return run.reviewHead === null ? noBranch : { ...noBranch, head: run.reviewHead };
}
