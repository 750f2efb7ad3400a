import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { ensureArtifactDirectory } from './artifactDirectory.ts';
import { createGit, type Git } from './git.ts';
import { QUIET } from './quiet.ts';
import { exists, findWorktree, type WorktreeEntry } from './worktreeList.ts';

export interface AddWorktree {
  repoPath: string;
  /** Where it goes: `WORKSPACE_ROOT/<runId>/<laneId>`. */
  path: string;
  /** `devflow/<runId>/<laneId>`. */
  branch: string;
  /** Full object id the branch starts from, when it does not exist yet. */
  startCommit: string;
}

export interface AddedWorktree {
  /** Canonical path. */
  path: string;
  /** It was there already. */
  adopted: boolean;
  /** Where a directory of unknown origin that stood in the way was moved. */
  movedAside: string | null;
}

/** How long a `git worktree add` that a killed daemon left behind may take to end by itself. */
const UNFINISHED_ADD_MS = 5000;

/** By repository: git itself fails when two add a worktree at once ("failed to read .git/worktrees/main3/commondir"). */
const adding = new Map<string, Promise<unknown>>();

/** `addOne`, one after another in each repository. */
export function addWorktree(input: AddWorktree, git: Git = createGit()): Promise<AddedWorktree> {
  const { repoPath } = input;
  const added = (adding.get(repoPath) ?? Promise.resolve()).then(() => addOne(input, git));
  const settled = added
    .catch(() => {})
    .then(() => {
      if (adding.get(repoPath) === settled) adding.delete(repoPath);
    });
  adding.set(repoPath, settled);
  return added;
}

/**
 * Makes the worktree and its branch, or adopts them when they are there; mends what a crash left half done. The user's
 * checkout, index and configuration are not touched. Throws git_failed.
 */
async function addOne(input: AddWorktree, git: Git): Promise<AddedWorktree> {
  const { repoPath, branch, startCommit } = input;
  await mkdir(dirname(input.path), { recursive: true, mode: 0o700 });
  const path = join(await realpath(dirname(input.path)), basename(input.path));

  let entry = await findWorktree(git, repoPath, path);
  if (entry?.lock === 'initializing') entry = await settleUnfinishedAdd(git, repoPath, path);
  if (entry && !(await exists(path))) {
    await git.run(repoPath, ['worktree', 'remove', path]);
    entry = undefined;
  }
  if (entry) {
    assertBranch(entry, branch);
    ensureArtifactDirectory(path);
    return { path, adopted: true, movedAside: null };
  }

  const movedAside = await moveAside(path);
  const known = await git.read(repoPath, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], {
    accept: [0, 1],
  });
  // --no-track: with branch.autoSetupMerge=always git would write tracking into the user's configuration.
  const target = known === '' ? ['--no-track', '-b', branch, path, startCommit] : [path, branch];
  await git.run(repoPath, [...QUIET, 'worktree', 'add', ...target], { timeoutMs: 600_000 });
  ensureArtifactDirectory(path);
  return { path, adopted: false, movedAside };
}

/**
 * git locks a worktree while it makes it. A lock that stays belongs to an add that was killed; nothing but git ever
 * wrote into that directory, so it is taken away and made again.
 */
async function settleUnfinishedAdd(git: Git, repoPath: string, path: string): Promise<WorktreeEntry | undefined> {
  const deadline = Date.now() + UNFINISHED_ADD_MS;
  let entry = await findWorktree(git, repoPath, path);
  while (entry?.lock === 'initializing' && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    entry = await findWorktree(git, repoPath, path);
  }
  if (entry?.lock !== 'initializing') return entry;
  const aside = await moveAside(path);
  await git.run(repoPath, ['worktree', 'unlock', path]);
  await git.run(repoPath, ['worktree', 'remove', path]);
  if (aside) await rm(aside, { recursive: true, force: true });
  return undefined;
}

/** Renames what stands at `path`, unless it is an empty directory, which git fills. */
async function moveAside(path: string): Promise<string | null> {
  if (!(await exists(path))) return null;
  const names = await readdir(path).catch(() => ['']);
  if (names.length === 0) return null;
  for (let n = 1; ; n++) {
    const aside = `${path}.aside-${n}`;
    if (await exists(aside)) continue;
    await rename(path, aside);
    return aside;
  }
}

function assertBranch(entry: WorktreeEntry, branch: string): void {
  if (entry.ref === `refs/heads/${branch}`) return;
  const there = entry.ref?.replace('refs/heads/', 'the branch ') ?? 'a detached HEAD';
  throw new DevflowError('git_failed', `The worktree ${entry.path} has ${there} checked out instead of ${branch}.`, {
    recoveryHint: `Check out ${branch} in ${entry.path}, and approve to try again.`,
  });
}
