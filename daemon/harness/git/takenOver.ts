import type { LanePlace } from '../lane/lane.ts';
import { createGit, type Git } from './git.ts';
import { commonDirectory } from './repositoryFiles.ts';

export interface Work extends LanePlace {
  runId: string;
  baseBranch: string;
  baseCommit: string;
}

/**
 * The person's branches that have a run's work: those that contain its newest commit, and the base branch where a commit
 * since then names the run, as a squash does. Needs no worktree. Throws git_failed.
 */
export async function branchesWithWork(work: Work, git: Git = createGit()): Promise<string[]> {
  const { repoPath, branch, runId, baseBranch, baseCommit } = work;
  const gitDir = await commonDirectory(repoPath);
  const options = { gitDir, settings: ['core.bare=true'], timeoutMs: 10_000 };
  const flags = [`--contains=refs/heads/${branch}`, '--format=%(refname:lstrip=2)'];
  const containing = (await git.read(gitDir, ['for-each-ref', ...flags, 'refs/heads'], options)).split('\n');
  const range = `${baseCommit}..refs/heads/${baseBranch}`;
  const search = ['log', '-1', '--format=%H', `--grep=^Devflow-Run: ${runId}$`, range, '--'];
  // The base branch may be gone.
  const squashed = await git.read(gitDir, search, { ...options, accept: [0, 128] });
  const found = containing.filter((name) => name !== '' && !name.startsWith('devflow/'));
  return squashed === '' ? found : [...new Set([baseBranch, ...found])];
}
