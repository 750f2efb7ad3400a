import { realpath, stat } from 'node:fs/promises';
import { DevflowError } from '../../../schemas/errors.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { type GitOptions, type GitOutput, runGit } from './gitCommand.ts';
import { commonDirectory } from './repositoryFiles.ts';

export interface RepositoryFacts {
  /** Canonical path of the top level of the checkout; symbolic links resolved. */
  repoPath: string;
  bare: false;
  /** Local branches, sorted by name. */
  branches: string[];
  /** The branch that is checked out; null when HEAD is detached. */
  headBranch: string | null;
}

export interface ResolvedBranch {
  branch: string;
  /** Full object id. */
  commit: string;
}

/** Git for one run (or none): its errors carry the run's id. */
export interface Git {
  /** Runs git and returns its output. See `runGit` for the errors. */
  run(cwd: string, args: readonly string[], options?: GitOptions): Promise<GitOutput>;
  /** Like `run`, but only reads, and returns only the text. */
  read(cwd: string, args: readonly string[], options?: GitOptions): Promise<string>;
  inspectRepository(dir: string): Promise<RepositoryFacts>;
  resolveBranch(repoPath: string, branch?: string): Promise<ResolvedBranch>;
}

export function createGit(facts: { runId?: string } = {}): Git {
  const run: Git['run'] = (cwd, args, options) => runGit(cwd, args, { ...facts, ...options });
  const read: Git['read'] = async (cwd, args, options) => (await run(cwd, args, { ...options, read: true })).stdout;
  return {
    run,
    read,
    inspectRepository: (dir) => inspectRepository(read, dir),
    resolveBranch: (repoPath, branch) => resolveBranch(read, repoPath, branch),
  };
}

/** Throws repo_invalid with one sentence unless `dir` is in a checkout with at least one commit. */
async function inspectRepository(read: Git['read'], dir: string): Promise<RepositoryFacts> {
  const found = await stat(dir).catch(() => undefined);
  if (!found) throw new DevflowError('repo_invalid', `The directory ${dir} does not exist.`);
  if (!found.isDirectory()) throw new DevflowError('repo_invalid', `${dir} is a file, not a directory.`);
  const asked = await realpath(dir);

  const kind = await read(asked, ['rev-parse', '--is-bare-repository', '--is-inside-work-tree']).catch((error) => {
    throw noRepository(dir, error);
  });
  const [bare, inside] = kind.split('\n');
  if (bare === 'true') {
    throw new DevflowError('repo_invalid', `${dir} is a bare repository; devflow needs a checkout.`, {
      recoveryHint: `Give one of its worktrees instead (git -C ${shellWord(dir)} worktree list).`,
    });
  }
  if (inside !== 'true') throw new DevflowError('repo_invalid', `${dir} is inside a .git directory, not a checkout.`);

  const repoPath = await realpath(await read(asked, ['rev-parse', '--show-toplevel']));
  const heads = await read(repoPath, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']);
  const branches = heads.split('\n').filter((name) => name !== '');
  const head = await read(repoPath, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [0, 1, 128] });
  if (branches.length === 0 && head === '') {
    throw new DevflowError('repo_invalid', `${dir} has no commits yet.`, { recoveryHint: 'Make the first commit.' });
  }
  return { repoPath, bare: false, branches, headBranch: (await headBranch(read, repoPath)) ?? null };
}

function noRepository(dir: string, cause: DevflowError): DevflowError {
  // git names the directory that it does not trust, which may be one above.
  const untrusted = /dubious ownership in repository at '(.+)'/.exec(String(cause.data?.stderr))?.[1];
  if (untrusted === undefined) return new DevflowError('repo_invalid', `${dir} is not in a git repository.`, { cause });
  return new DevflowError('repo_invalid', `git does not trust ${dir}, because it belongs to another user.`, {
    cause,
    recoveryHint: `If you trust it, allow it (git config --global --add safe.directory ${shellWord(untrusted)}), then try again.`,
  });
}

/**
 * The branch that is checked out; undefined if HEAD is detached. Beside a tag of the same name, git's short form of it would be
 * `heads/main`.
 */
async function headBranch(read: Git['read'], repoPath: string): Promise<string | undefined> {
  const ref = await read(repoPath, ['symbolic-ref', '--quiet', 'HEAD'], { accept: [0, 1] });
  return /^refs\/heads\/(.+)$/.exec(ref)?.[1];
}

/** The commit of a local branch, by default of the one that is checked out. Throws branch_missing. */
async function resolveBranch(read: Git['read'], repoPath: string, branch?: string): Promise<ResolvedBranch> {
  const name = branch ?? (await checkedOutBranch(read, repoPath));
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${name}^{commit}`];
  const commit = await read(repoPath, args, { accept: [0, 1, 128] });
  if (commit !== '') return { branch: name, commit };
  const why = branch === undefined ? 'is checked out but has no commits' : 'does not exist';
  throw new DevflowError('branch_missing', `The branch ${name} ${why} in ${repoPath}.`);
}

async function checkedOutBranch(read: Git['read'], repoPath: string): Promise<string> {
  const branch = await headBranch(read, repoPath);
  if (branch !== undefined) return branch;
  throw new DevflowError('branch_missing', `No branch is checked out in ${repoPath} (HEAD is detached).`, {
    recoveryHint: 'Name the branch to start from: --base <branch>.',
  });
}

/** The commits of `to` that `from` does not have, oldest first. Needs no worktree. Throws git_failed. */
export async function listCommits(repoPath: string, from: string, to: string, most: number): Promise<string[]> {
  const gitDir = await commonDirectory(repoPath);
  const args = ['rev-list', '--reverse', `--max-count=${most}`, `${from}..${to}`, '--'];
  const list = await createGit().read(gitDir, args, { gitDir, settings: ['core.bare=true'] });
  return list.split('\n').filter((commit) => commit !== '');
}

/** The first part of the names of all branches that devflow makes. */
export const OWN_BRANCHES = 'devflow';

/**
 * One of these branches that makes `name` impossible. Git keeps `a` as a file and `a/b` in a directory of that name.
 */
export function branchInTheWay(branches: readonly string[], name: string): string | undefined {
  return branches.find((each) => each.startsWith(`${name}/`) || name.startsWith(`${each}/`));
}

/** Throws repo_invalid if git could not make a run's branches in this repository. */
export function refuseOwnBranchesTaken({ repoPath, branches }: RepositoryFacts): void {
  if (!branches.includes(OWN_BRANCHES)) return;
  const message = `The branch ${OWN_BRANCHES} of ${repoPath} is in the way: devflow names its branches ${OWN_BRANCHES}/<run>/<lane>.`;
  throw new DevflowError('repo_invalid', message, {
    recoveryHint: `Rename it (git -C ${shellWord(repoPath)} branch -m ${OWN_BRANCHES} ${OWN_BRANCHES}-old), then try again.`,
  });
}
