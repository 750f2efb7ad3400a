import { createGit, type Git } from './git.ts';
import { commonDirectory } from './repositoryFiles.ts';

/** The commits of `to` that `from` does not have, oldest first. Needs no worktree. Throws git_failed. */
export async function listCommits(
  repoPath: string,
  from: string,
  to: string,
  most: number,
  git: Git = createGit(),
): Promise<string[]> {
  const gitDir = await commonDirectory(repoPath);
  const args = ['rev-list', '--reverse', `--max-count=${most}`, `${from}..${to}`, '--'];
  const list = await git.read(gitDir, args, { gitDir, settings: ['core.bare=true'] });
  return list.split('\n').filter((commit) => commit !== '');
}
