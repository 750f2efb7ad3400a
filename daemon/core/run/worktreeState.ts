import type { EventPayload } from '../../../schemas/events/index.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { WorktreeState } from '../../../schemas/worktreeState.ts';
import type { Placed } from './comment.ts';

export type { WorktreeState };

/** The subject of a gate, as the interpreter read it when a decision arrived. */
export interface Observed {
  /** Undefined if the gate binds no worktree. */
  worktree?: WorktreeState;
  /** New commits of the branch since the gate opened, oldest first. */
  commits: string[];
  /** Artifacts of the gate whose validated bytes are lost. */
  lostArtifacts: string[];
  /** A person has not confirmed what the gate is about. */
  isUnconfirmed?: boolean;
  /** Where the comments of the decision stand. */
  placed?: Placed[];
  /** At a gate about published files: those that are not what devflow published. */
  drifts?: Omit<EventPayload<'contract.drifted'>, 'nth'>[];
}

export function isSameWorktree(a: WorktreeState, b: WorktreeState): boolean {
  return a.head === b.head && a.tree === b.tree && a.uncommitted === b.uncommitted;
}

/** The state that a gate binds; undefined for gates of older runs and gates without code. */
export function boundWorktree(subject: Record<string, unknown>): WorktreeState | undefined {
  return subject.worktree as WorktreeState | undefined;
}

/** The change as the beginning of a sentence. */
export function describeChange(run: { here: boolean }, before: WorktreeState | null, now: WorktreeState): string {
  if (run.here) return 'Files of your checkout changed';
  if (before && before.head !== now.head) {
    return `The branch moved from ${before.head.slice(0, 12)} to ${now.head.slice(0, 12)}`;
  }
  const count = now.files.length;
  if (count === 0) return 'Uncommitted changes of the worktree went away';
  return `${counted(count, 'uncommitted file')} of the worktree changed`;
}
