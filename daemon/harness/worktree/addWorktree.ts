import { mkdir, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { ensureArtifactDirectory } from '../artifact/artifactDirectory.ts';
import { createGit, type Git } from '../git/git.ts';
import type { GitProgress } from '../git/gitCommand.ts';
import { inTurn } from '../git/inTurn.ts';
import { commonDirectory, exists, findWorktree, type WorktreeEntry } from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { keepText, makePrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex } from '../privateGit/privateIndex.ts';
import { fillSubmodules } from '../submodule/fillSubmodules.ts';
import { clonesOf } from '../submodule/findSubmodules.ts';
import { forgetWorktree } from './removeWorktree.ts';

export interface AddWorktree extends WorktreePlace {
  /** Full object id the branch starts from, when it does not exist yet. */
  startCommit: string;
  /** Names of filters to run on the files; none by default. */
  filters?: string[];
  /** Called while git writes many files. */
  onProgress?(files: GitProgress): void;
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
/** git's lock reason for an unfinished worktree. devflow keeps the lock until all files are there. */
const UNFINISHED = 'initializing';
/** Directory beside the worktrees of a run. No lane has a name like this. */
const ADDING = '.adding';

/** Runs `addOne` one at a time in each repository, because git fails if two calls add a worktree at once. */
export function addWorktree(input: AddWorktree, git: Git = createGit()): Promise<AddedWorktree> {
  return inTurn(input.repoPath, () => addOne(input, git));
}

/**
 * Makes the worktree and its branch, or adopts them when they are there; mends what a crash left half done. The user's
 * checkout, index and configuration are not touched, and none of the repository's hooks and filters run. Throws
 * git_failed.
 */
async function addOne(input: AddWorktree, git: Git): Promise<AddedWorktree> {
  const { branch } = input;
  await mkdir(dirname(input.path), { recursive: true, mode: 0o700 });
  const path = join(await realpath(dirname(input.path)), basename(input.path));
  const place = { repoPath: input.repoPath, path, branch };
  const common = await commonDirectory(input.repoPath);

  let entry = await findWorktree(common, path);
  if (entry?.lock === UNFINISHED) entry = await settleUnfinishedAdd(git, common, place);
  if (entry && !(await exists(path))) {
    await forgetWorktree(place, common, entry, git);
    entry = undefined;
  }
  if (entry) {
    assertBranch(path, entry, branch);
    await makePrivateGit(place, common, entry, git, input.filters ?? []);
    ensureArtifactDirectory(path);
    return { path, adopted: true, movedAside: null };
  }

  // Beside its place until all files are there: a directory at `path` is always a whole worktree, also after a crash.
  const { adding, made } = await addEmpty(input, place, common, git);
  const privateGit = await makePrivateGit({ ...place, path: adding }, common, made, git, input.filters ?? []);
  await privateGit.run(['read-tree', '-m', '-u', '-v', 'HEAD'], { timeoutMs: 600_000, onProgress: input.onProgress });
  await giveIndex(privateGit);
  const clones = await clonesOf(input.repoPath);
  await fillSubmodules(privateGit, { clones, path, filters: input.filters ?? [] }, git);
  ensureArtifactDirectory(adding);
  const movedAside = await moveAside(path);
  await moveEntry(git, common, made, adding, path);
  await rename(adding, path);
  await rmdir(dirname(adding)).catch(() => {});
  return { path, adopted: false, movedAside };
}

/** A worktree without files beside `place`, locked by git's own word for one that is being made. */
export async function addEmpty(
  { branch, startCommit }: AddWorktree,
  place: WorktreePlace,
  common: string,
  git: Git,
): Promise<{ adding: string; made: WorktreeEntry }> {
  // git names its entry for the last part of the path.
  const adding = join(dirname(place.path), ADDING, basename(place.path));
  const left = await findWorktree(common, adding);
  const aside = await moveAside(adding);
  if (left) await forgetWorktree({ ...place, path: adding }, common, left, git);
  if (aside) await rm(aside, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(dirname(adding), { recursive: true, mode: 0o700 });
  const inCommon = { gitDir: common };
  const ref = `refs/heads/${branch}`;
  const known = await git.read(common, ['rev-parse', '--verify', '--quiet', ref], { ...inCommon, accept: [0, 1] });
  if (known === '') await git.run(common, ['update-ref', ref, startCommit, ''], inCommon);
  // No checkout here: git would read the repository's configuration, which may have filters.
  const flags = ['--no-checkout', '--lock', `--reason=${UNFINISHED}`];
  await git.run(common, ['worktree', 'add', ...flags, adding, branch], inCommon);
  const made = await findWorktree(common, adding);
  if (!made) throw new DevflowError('git_failed', `git made no worktree at ${adding}.`);
  return { adding, made };
}

/** git's entry becomes that of `path`. From then on an add that ends here is taken for a finished one. */
export async function moveEntry(git: Git, common: string, made: WorktreeEntry, adding: string, path: string) {
  await git.run(common, ['worktree', 'unlock', adding], { gitDir: common });
  await keepText(join(made.directory, 'gitdir'), `${join(path, '.git')}\n`);
}

/**
 * git locks a worktree while it makes it. A lock that stays belongs to an add that was killed; nothing but git ever
 * wrote into that directory, so it is taken away and made again.
 */
async function settleUnfinishedAdd(git: Git, common: string, place: WorktreePlace): Promise<WorktreeEntry | undefined> {
  const deadline = Date.now() + UNFINISHED_ADD_MS;
  let entry = await findWorktree(common, place.path);
  while (entry?.lock === UNFINISHED && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    entry = await findWorktree(common, place.path);
  }
  if (entry?.lock !== UNFINISHED) return entry;
  const aside = await moveAside(place.path);
  await forgetWorktree(place, common, entry, git);
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

function assertBranch(path: string, { ref }: WorktreeEntry, branch: string): void {
  if (ref === `refs/heads/${branch}`) return;
  const there = ref?.replace('refs/heads/', 'the branch ') ?? 'a detached HEAD';
  throw new DevflowError('git_failed', `The worktree ${path} has ${there} checked out instead of ${branch}.`, {
    recoveryHint: `Check out ${branch} in ${path}, and approve to try again.`,
  });
}
