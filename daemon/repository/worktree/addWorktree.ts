import { mkdir, readdir, realpath, rename, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { ensureArtifactDirectory } from '../../artifacts/artifactDirectory.ts';
import { createGit, type Git } from '../git/git.ts';
import type { GitProgress } from '../git/gitCommand.ts';
import { inTurn } from '../git/inTurn.ts';
import { refuseCheckout } from '../git/refuseCheckout.ts';
import { commonDirectory, exists, findWorktree, type WorktreeEntry } from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { keepText } from '../privateGit/keepFiles.ts';
import { forgetBeside } from '../privateGit/keptBeside.ts';
import { makePrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex } from '../privateGit/privateIndex.ts';
import { fillSubmodules } from '../submodule/fillSubmodules.ts';
import { clonesOf } from '../submodule/findSubmodules.ts';
import { clearHalfMade, discard, makingPlace, UNFINISHED } from './halfMade.ts';
import { forgetWorktree } from './removeWorktree.ts';

export interface AddWorktree extends WorktreePlace {
  /** Full object id from which the branch starts, if it does not exist yet. */
  startCommit: string;
  /** Names of filters to run on the files. Default: none. */
  filters?: string[];
  /** Called while git writes many files. */
  onProgress?(files: GitProgress): void;
}

export interface AddedWorktree {
  /** Canonical path. */
  path: string;
  /** It existed already. */
  adopted: boolean;
  /** The new path of an unknown directory that was in the way. */
  movedAside: string | null;
}

/** devflow waits this long for a `git worktree add` of a killed daemon. */
const UNFINISHED_ADD_MS = 5000;

/** Runs `addOne` one at a time in each repository, because git fails if two calls add a worktree at once. */
export async function addWorktree(input: AddWorktree, git: Git = createGit()): Promise<AddedWorktree> {
  refuseCheckout(input);
  return inTurn(input.repoPath, () => addOne(input, git));
}

/**
 * Makes the worktree and its branch, adopts existing ones, or repairs what a crash left unfinished. With `head` the worktree
 * is detached and gets no branch. It does not change the person's checkout, index and configuration, and runs no hooks or
 * filters of the repository. Throws git_failed.
 */
async function addOne(input: AddWorktree, git: Git): Promise<AddedWorktree> {
  const { branch, head } = input;
  await mkdir(dirname(input.path), { recursive: true, mode: 0o700 });
  const path = join(await realpath(dirname(input.path)), basename(input.path));
  const place: WorktreePlace = { repoPath: input.repoPath, path, branch, head };
  const common = await commonDirectory(input.repoPath);

  let entry = await findWorktree(common, path);
  if (entry?.lock === UNFINISHED) entry = await settleUnfinishedAdd(git, common, place);
  if (entry && !(await exists(path))) {
    await forgetWorktree(place, common, entry, git);
    entry = undefined;
  }
  if (entry) {
    if (head === undefined) assertBranch(path, entry, branch);
    await clearHalfMade(path, common, git);
    await makePrivateGit(place, common, entry, git, input.filters ?? []);
    ensureArtifactDirectory(path);
    return { path, adopted: true, movedAside: null };
  }

  const { adding, made } = await addEmpty(input, place, common, git);
  const privateGit = await makePrivateGit({ ...place, path: adding }, common, made, git, input.filters ?? []);
  await privateGit.run(['read-tree', '-m', '-u', '-v', 'HEAD'], { timeoutMs: 600_000, onProgress: input.onProgress });
  await giveIndex(privateGit);
  const clones = await clonesOf(input.repoPath);
  await fillSubmodules(privateGit, { clones, path, filters: input.filters ?? [] });
  ensureArtifactDirectory(adding);
  const movedAside = await moveAside(path);
  await forgetBeside(path);
  await moveEntry(git, common, made, adding, path);
  await rename(adding, path);
  await rmdir(dirname(adding)).catch(() => {});
  return { path, adopted: false, movedAside };
}

/** Makes a worktree without files beside `place`, with git's lock for an unfinished worktree. */
export async function addEmpty(
  { branch, startCommit, head }: AddWorktree,
  place: WorktreePlace,
  common: string,
  git: Git,
): Promise<{ adding: string; made: WorktreeEntry }> {
  const adding = makingPlace(place.path);
  await discard(adding, common, git);
  await mkdir(dirname(adding), { recursive: true, mode: 0o700 });
  if (head === undefined) await makeBranch(git, common, branch, startCommit);
  // No checkout here: git would read the repository's configuration, which may have filters.
  const flags = ['--no-checkout', '--lock', `--reason=${UNFINISHED}`, ...(head === undefined ? [] : ['--detach'])];
  await git.run(common, ['worktree', 'add', ...flags, adding, head ?? branch], { gitDir: common });
  const made = await findWorktree(common, adding);
  if (!made) throw new DevflowError('git_failed', `git did not make a worktree at ${adding}.`);
  return { adding, made };
}

/** A branch of this name may be from before a crash. */
async function makeBranch(git: Git, common: string, branch: string, startCommit: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const args = ['rev-parse', '--verify', '--quiet', ref];
  const known = await git.read(common, args, { gitDir: common, accept: [0, 1] });
  if (known === '') await git.run(common, ['update-ref', ref, startCommit, ''], { gitDir: common });
}

/** Points git's entry to `path`. From then on the worktree counts as finished. */
export async function moveEntry(git: Git, common: string, made: WorktreeEntry, adding: string, path: string) {
  await git.run(common, ['worktree', 'unlock', adding], { gitDir: common });
  await keepText(join(made.directory, 'gitdir'), `${join(path, '.git')}\n`);
}

/**
 * git locks a worktree while it makes it. If the lock stays, the add was killed. Only git wrote into that directory, so
 * devflow removes it and makes the worktree again.
 */
async function settleUnfinishedAdd(git: Git, common: string, place: WorktreePlace): Promise<WorktreeEntry | undefined> {
  const deadline = steadyNow() + UNFINISHED_ADD_MS;
  let entry = await findWorktree(common, place.path);
  while (entry?.lock === UNFINISHED && steadyNow() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    entry = await findWorktree(common, place.path);
  }
  if (entry?.lock !== UNFINISHED) return entry;
  await discard(place.path, common, git);
  return undefined;
}

/** Renames whatever is at `path`, unless it is an empty directory, which git can fill. */
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
    recoveryHint: `Check out ${branch} in ${path}, then approve to try again.`,
  });
}
