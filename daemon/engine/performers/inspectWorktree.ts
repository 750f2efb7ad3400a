import { readWorktree } from '../../harness/readWorktree.ts';
import type { Performer } from './performer.ts';

/** Looks where branch and worktree stand. Changes nothing. */
export const inspectWorktree: Performer<'inspectWorktree'> = async (
  { key, repoPath, worktree, branch },
  { faults },
) => {
  faults.at('inspectWorktree.before_read');
  return { type: 'worktreeRead', key, worktree: await readWorktree({ repoPath, worktree, branch }) };
};
