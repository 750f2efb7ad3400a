import { snapshotCheckout } from '../../repository/change/snapshotCheckout.ts';
import { readWorktree } from '../../repository/worktree/readWorktree.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { driftsOf } from './driftsOf.ts';
import type { Performer } from './performer.ts';

/**
 * Reads branch and worktree. Changes nothing but restores git's entry of the worktree if it is lost. Of a person's checkout it
 * makes a snapshot.
 */
export const inspectWorktree: Performer<'inspectWorktree'> = async (
  { key, runId, repoPath, worktree, branch, checkoutBase, lastKnown, except, published },
  ports,
) => {
  const { faults, config } = ports;
  faults.at('inspectWorktree.before_read');
  if (checkoutBase !== undefined) {
    return {
      type: 'worktreeRead',
      key,
      worktree: await snapshotCheckout({ path: worktree, runId, base: checkoutBase }),
    };
  }
  const place = { repoPath, path: worktree, branch };
  await registerWorktree({ ...place, startCommit: lastKnown, filters: config.git.filters });
  const read = await readWorktree({ ...place, lastKnown, except });
  const drifts = await driftsOf(published, worktree, ports);
  return { type: 'worktreeRead', key, worktree: read, ...(drifts.length > 0 ? { drifts } : {}) };
};
