import { counted } from './text/phrases.ts';

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

/** The changes in the person's checkout between two looks. */
export interface CheckoutChange {
  /** Files that changed, at most 200. A new directory counts as one and ends with a slash. */
  paths: string[];
  /** Another commit is checked out. */
  headMoved: boolean;
}

/** A change of the person's checkout while an agent worked. */
export interface RecordedCheckoutChange extends CheckoutChange {
  laneId: string;
  assignment: string;
  attempt: number;
  at: string;
}

const NAMED = 3;

/** Does not say who wrote: devflow cannot tell. */
export function checkoutChangeSentence({ laneId, assignment, paths, headMoved }: RecordedCheckoutChange): string {
  const rest = paths.length - NAMED;
  const files = `${paths.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${counted(rest, 'more file')}` : ''}`;
  const what = [...(headMoved ? ['another commit was checked out'] : []), ...(files === '' ? [] : [files])].join('; ');
  return `Your checkout changed while ${laneId === 'main' ? 'the agents' : laneId} worked on ${assignment}: ${what}.`;
}
