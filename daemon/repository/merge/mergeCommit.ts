import { identitySettings, type PrivateGit } from '../privateGit/privateGit.ts';

export interface MergeCommit {
  tree: string;
  /** The branch that gets the merge comes first. */
  parents: readonly [string, string];
  /** One line. */
  subject: string;
  /** Become `Devflow-Run` and `Devflow-Lane`. */
  runId: string;
  laneId: string;
  /** Its time (ISO 8601, UTC). The same call makes the same commit, so a restart can repeat it. */
  at: string;
}

/** Makes the commit of a merge and returns its id. It moves no branch, runs no hook and signs nothing. */
export async function mergeCommit(privateGit: PrivateGit, commit: MergeCommit): Promise<string> {
  const { tree, parents, subject, runId, laneId, at } = commit;
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  const input = `${subject}\n\nDevflow-Run: ${runId}\nDevflow-Lane: ${laneId}\n`;
  const settings = identitySettings(privateGit);
  return (await privateGit.objects(args, { input, at, settings })).stdout;
}
