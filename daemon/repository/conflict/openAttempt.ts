import { type Prepared, readPrepared } from '../merge/preparedConflict.ts';
import { isAncestor } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { takeBack } from './takeBack.ts';

/**
 * The conflict that is prepared in the worktree of a lane with this head. Takes back the agent's commits: while a
 * conflict is prepared, every commit on the branch is an agent's.
 */
export async function openAttempt(privateGit: PrivateGit, head: string): Promise<Prepared | undefined> {
  const prepared = await readPrepared(privateGit);
  if (!prepared) return undefined;
  // A conflict can be prepared with late commits that nobody recorded yet as the head of the lane.
  if (prepared.head !== head && !(await isAncestor(privateGit, head, prepared.head))) return undefined;
  await takeBack(privateGit, prepared.head);
  return prepared;
}
