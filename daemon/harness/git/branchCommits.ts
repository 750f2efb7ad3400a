import type { LanePlace } from '../lane/lane.ts';
import { createGit, type Git } from './git.ts';
import { commonDirectory } from './repositoryFiles.ts';

/** More than a report shows; an agent may have merged the history of another repository. */
const MOST = 500;

/** The commits of a lane's branch since `base`, oldest first. Needs no worktree. Throws git_failed. */
export async function branchCommits(
  { repoPath, branch }: LanePlace,
  base: string,
  git: Git = createGit(),
): Promise<string[]> {
  const gitDir = await commonDirectory(repoPath);
  const args = ['rev-list', '--reverse', `--max-count=${MOST}`, `${base}..refs/heads/${branch}`, '--'];
  const { stdout } = await git.run(gitDir, args, { gitDir, read: true, settings: ['core.bare=true'] });
  return stdout.split('\n').filter((commit) => commit !== '');
}
