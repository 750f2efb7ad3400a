import { counted } from './counted.ts';

/** What a person must know of files in a worktree that shown changes do not have. */
export function uncommittedNote(count: number): string {
  const files = counted(count, 'file in the worktree is', 'files in the worktree are');
  return `${files} not committed, and so not in these changes.`;
}
