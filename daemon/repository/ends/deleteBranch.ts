import { createGit, OWN_BRANCHES } from '../git/git.ts';
import { findHolder, type Holder, isAt } from './ownBranches.ts';

/**
 * Deletes one of devflow's branches, if it is still at `old` and a branch of the person still has that commit. Both are
 * checked under git's locks. Returns whether it is deleted. Throws git_failed if git can neither look nor delete.
 */
export async function deleteBranch(common: string, branch: string, old: string): Promise<boolean> {
  if (!branch.startsWith(`${OWN_BRANCHES}/`)) throw new TypeError(`${branch} is no branch of devflow`);
  const holder = await findHolder(common, old);
  return holder !== undefined && removeRef(common, { branch, old, holder });
}

async function removeRef(
  common: string,
  { branch, old, holder }: { branch: string; old: string; holder: Holder },
): Promise<boolean> {
  const input = [
    'start',
    `verify refs/heads/${holder.name} ${holder.oid}`,
    `delete refs/heads/${branch} ${old}`,
    'prepare',
    'commit',
    '',
  ].join('\n');
  const options = { gitDir: common, settings: ['core.bare=true'], bytes: true, input };
  // Symbolic refs are not followed: the branch that one names would go.
  const args = ['update-ref', '--no-deref', '--stdin'];
  try {
    await createGit().run(common, args, { ...options, deletesHeldRef: true });
    return true;
  } catch (error) {
    // git fails in the same way for a ref that moved, a lock that somebody left and a disk that is full.
    if (await isAt(common, { name: branch, oid: old }, holder)) throw error;
    return false;
  }
}
