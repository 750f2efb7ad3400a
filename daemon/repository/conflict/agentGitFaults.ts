import { readUnderWay } from '../git/underWay.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed } from '../privateGit/workCommit.ts';
import { commitOfHead } from '../worktree/worktreeHead.ts';

/**
 * The uses of git by an agent that resolved a conflict, as sentences that say how to undo them. An agent may only
 * change files: devflow makes the commit.
 */
export async function agentGitFaults(privateGit: PrivateGit, head: string): Promise<string[]> {
  const { branch, entry } = privateGit;
  const ref = `refs/heads/${branch}`;
  const faults: string[] = [];
  if ((await commitOfHead(privateGit)) !== 'branch') {
    faults.push(`HEAD is no longer ${branch}. Put it back, which changes no file: git symbolic-ref HEAD ${ref}`);
  }
  const tip = await commitNamed(privateGit, ref);
  if (tip === undefined) faults.push(`The branch ${branch} is gone. Restore it: git update-ref ${ref} ${head}`);
  else if (tip !== head) {
    faults.push(
      `${branch} is at ${tip.slice(0, 12)} instead of ${head.slice(0, 12)}, but devflow makes the commit. Move it back, which changes no file: git update-ref ${ref} ${head}`,
    );
  }
  const underWay = await readUnderWay(entry.directory);
  if (underWay)
    faults.push(`The worktree is in the middle of ${underWay.what}. End it, which changes no file: ${underWay.quit}`);
  return faults;
}
