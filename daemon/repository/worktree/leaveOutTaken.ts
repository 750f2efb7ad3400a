import type { WorktreePlace } from '../git/worktreePlace.ts';
import { treeOf } from '../privateGit/history.ts';
import { readExcluded } from '../privateGit/ownExcludes.ts';
import { openPrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex, readTree, withIndex, writeTreeWithout } from '../privateGit/privateIndex.ts';
import { type CommitWork, recordCommit, resetBranch } from './commitMessage.ts';
import { namesOf, takenByAgent } from './takenByAgent.ts';

/**
 * Takes out of devflow's branch what an agent committed although devflow keeps it out (`git add -f .env`). What else it committed
 * after `since` becomes one commit. Changes no file of the worktree. A second call finds nothing. Returns the names.
 */
export async function leaveOutTaken(
  worktree: WorktreePlace,
  since: string,
  message: Pick<CommitWork, 'subject' | 'trailers'>,
): Promise<string[]> {
  const privateGit = await openPrivateGit(worktree);
  if (readExcluded(privateGit.gitDir).size === 0) return [];
  const tip = (await privateGit.objects(['rev-parse', '--verify', `refs/heads/${privateGit.branch}`], { read: true }))
    .stdout;
  const taken = await takenByAgent(privateGit, since, [tip]);
  if (taken.length === 0) return [];
  // The indexes first: after a crash between, the next call still finds the paths in the branch.
  const tree = await withIndex(privateGit, async (index) => {
    await readTree(privateGit, index, tip);
    return writeTreeWithout(privateGit, index, [], taken);
  });
  await giveIndex(privateGit);
  const names = namesOf(taken);
  const body = `Without ${names.join(', ')}: devflow keeps it out of commits.`;
  const isEmpty = tree === (await treeOf(privateGit, since));
  if (isEmpty) await resetBranch(privateGit, since, tip);
  else await recordCommit(privateGit, { worktree, since, body, ...message }, { tree, parents: [since], tip });
  return names;
}
