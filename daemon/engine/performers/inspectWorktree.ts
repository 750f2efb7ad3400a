import { readWorktree } from '../../harness/worktree/readWorktree.ts';
import { registerWorktree } from '../../harness/worktree/restoreWorktree.ts';
import type { Performer } from './performer.ts';

/** Reads branch and worktree. Changes nothing but restores git's entry of the worktree if it is lost. */
export const inspectWorktree: Performer<'inspectWorktree'> = async (
  { key, repoPath, worktree, branch, lastKnown },
  { faults, config },
) => {
  faults.at('inspectWorktree.before_read');
  const place = { repoPath, path: worktree, branch };
  await registerWorktree({ ...place, startCommit: lastKnown, filters: config.git.filters });
  return { type: 'worktreeRead', key, worktree: await readWorktree({ ...place, lastKnown }) };
};
