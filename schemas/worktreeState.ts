import { counted } from './counted.ts';

/** The state of a run's branch and worktree, which a gate about code is bound to. */
export interface WorktreeState {
  /** The commit of the run's branch. */
  head: string;
  /** The tree of that commit. */
  tree: string;
  /** Uncommitted files of the worktree, at most 100. Ignored files do not count. */
  files: string[];
  /** A hash of the uncommitted files and of the checked-out commit; null if the worktree equals `head`. */
  uncommitted: string | null;
}

/** Says that the shown changes lack the uncommitted files of the worktree. */
export function uncommittedNote(count: number): string {
  return `${counted(count, 'file in the worktree is', 'files in the worktree are')} not committed, and so not in these changes.`;
}
