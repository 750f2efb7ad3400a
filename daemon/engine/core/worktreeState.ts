import type { WorktreeState } from '../../../schemas/worktreeState.ts';

export type { WorktreeState };

/** What the interpreter saw of the things under decision when a decision came in. */
export interface Observed {
  /** Undefined where the gate binds none. */
  worktree?: WorktreeState;
  /** The commits that the gate does not have and the branch has, oldest first. */
  commits: string[];
  /** Artifacts of the gate whose bytes are no longer to be had. */
  lostArtifacts: string[];
}

export function isSameWorktree(a: WorktreeState, b: WorktreeState): boolean {
  return a.head === b.head && a.tree === b.tree && a.uncommitted === b.uncommitted;
}

/** What a gate binds; undefined for a gate of an older run, and for one that is not about code. */
export function boundWorktree(subject: Record<string, unknown>): WorktreeState | undefined {
  return subject.worktree as WorktreeState | undefined;
}
