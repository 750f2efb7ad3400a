import type { WorktreePlace } from '../git/worktreePlace.ts';
import { openPrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed } from '../privateGit/workCommit.ts';

/**
 * The commit by which devflow already resolved this conflict: the tip of the lane, with both sides as its parents. An agent
 * can make such a commit, so `proveResolution` must check it. Also undefined if the branch is gone: `proveResolution`
 * reports that.
 */
export async function findResolution(
  worktree: WorktreePlace,
  { laneId, head, onto }: { laneId: string; head: string; onto: string },
): Promise<string | undefined> {
  const privateGit = await openPrivateGit(worktree);
  const tip = await commitNamed(privateGit, `refs/heads/${privateGit.branch}`);
  if (tip === undefined || tip === head) return undefined;
  const format = '--format=%P%x09%(trailers:key=Devflow-Lane,valueonly,separator=%x20)';
  const { stdout } = await privateGit.objects(['log', '-1', format, tip, '--'], { read: true });
  return stdout === `${head} ${onto}\t${laneId}` ? tip : undefined;
}
