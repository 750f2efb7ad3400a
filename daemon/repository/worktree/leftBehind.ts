import { defined } from '../../../schemas/defined.ts';
import { changedCopies, type InputCopy } from '../../artifacts/inputCopies.ts';
import { readValidated, type ValidatedArtifact } from '../../artifacts/storedArtifact.ts';
import { createGit, listCommits } from '../git/git.ts';
import { commonDirectory, exists } from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { countUncommitted } from './worktreeStatus.ts';

/** More than a report shows; an agent may have merged the history of another repository. */
const MOST_COMMITS = 500;

export interface Work extends WorktreePlace {
  runId: string;
  baseBranch: string;
  baseCommit: string;
}

export interface LeftBehind {
  /** Parsed artifacts by id. */
  contents: Record<string, unknown>;
  /** The number of uncommitted files in the worktree. */
  dirtyFiles: number;
  /** Artifact files of the worktree that somebody changed after validation. */
  changedArtifacts: string[];
  /** All commits of the branch since the base, oldest first; empty if git cannot read them. */
  branchCommits: string[];
  hasWorktree: boolean;
  /** The person's branches that have the work; absent if git failed. */
  takenOver?: string[];
}

/**
 * The part of a report that the log lacks: the stored artifacts, uncommitted files, and the commits of the branch. It
 * leaves out what it cannot read, because a partial report is better than none.
 */
export async function readLeftBehind(
  artifacts: readonly (ValidatedArtifact & { id: string; valid: boolean; worktree: string })[],
  work: Work,
  inputs: readonly InputCopy[] = [],
): Promise<LeftBehind> {
  const stored = artifacts.filter(({ valid, storedPath }) => valid && storedPath);
  const own = stored.flatMap((artifact) => changedCopies(artifact.worktree, [{ path: artifact.path, artifact }]));
  const changed = [...own, ...changedCopies(work.path, inputs)];
  const [files, commits, takenOver, hasWorktree, parsed] = await Promise.all([
    countUncommitted(work),
    listCommits(work.repoPath, work.baseCommit, `refs/heads/${work.branch}`, MOST_COMMITS).catch(() => []),
    branchesWithWork(work).catch(() => undefined),
    exists(work.path),
    Promise.all(stored.map(async (artifact) => [artifact.id, await readJson(artifact, artifact.worktree)] as const)),
  ]);
  return {
    contents: Object.fromEntries(parsed),
    dirtyFiles: files ?? 0,
    changedArtifacts: [...new Set(changed)],
    branchCommits: commits,
    hasWorktree,
    ...defined({ takenOver }),
  };
}

async function readJson(artifact: ValidatedArtifact, worktree: string): Promise<unknown> {
  try {
    return JSON.parse((await readValidated(artifact, worktree))?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

/**
 * The person's branches that have a run's work. Those contain its newest commit. The base branch also counts if a later
 * commit there names the run, as a squash does. Needs no worktree. Throws git_failed.
 */
export async function branchesWithWork(work: Work): Promise<string[]> {
  const { repoPath, branch, runId, baseBranch, baseCommit } = work;
  const git = createGit();
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
