import { defined } from '../../../schemas/defined.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { hash } from '../../../schemas/hash.ts';
import type { WorktreeState } from '../../../schemas/worktreeState.ts';
import { createGit, type Git, listCommits } from '../git/git.ts';
import { commonDirectory, exists } from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { treeOf } from '../privateGit/history.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { fileMarks } from './fileMarks.ts';
import { commitOfHead } from './worktreeHead.ts';
import { countedFiles, readStatus, type WorktreeStatus } from './worktreeStatus.ts';

const NAMED_FILES = 100;
const MOST_COMMITS = 20;

export interface ReadWorktree extends WorktreePlace {
  /** A commit that the branch had, for the hint on how to restore it. */
  lastKnown?: string;
}

/**
 * The state of branch and worktree. It reads devflow's branch, even if another one is checked out. A missing worktree
 * has no changes.
 */
export async function readWorktree(place: ReadWorktree, git: Git = createGit()): Promise<WorktreeState> {
  const { repoPath, branch, lastKnown } = place;
  const found = await listWorktree(place, git).catch(async (error) => {
    // A missing branch is the better error: it may have caused this one.
    await readTip(repoPath, branch, lastKnown, git);
    throw error;
  });
  return readListed(place, found, git);
}

/** The state of a worktree that was listed just now. Undefined stands for a missing one. */
export async function readListed(
  { repoPath, branch, lastKnown, except }: ReadWorktree,
  found: ListedWorktree | undefined,
  git: Git = createGit(),
): Promise<WorktreeState> {
  if (found?.status.tip) return stateOf(found, except);
  return { ...(await readTip(repoPath, branch, lastKnown, git)), files: [], uncommitted: null };
}

/** A worktree as git has just listed it. */
export interface ListedWorktree {
  privateGit: PrivateGit;
  standsOn: string | 'branch' | null;
  status: WorktreeStatus;
}

/** Its state, if devflow's branch has a commit. git listed files and commit in one call, so they match. */
export async function stateOf(
  { privateGit, standsOn, status }: ListedWorktree,
  except: WorktreePlace['except'],
): Promise<WorktreeState> {
  const head = status.tip ?? '';
  const checkedOut = standsOn === 'branch' ? head : standsOn;
  const files = countedFiles(status, except).sort();
  const isClean = files.length === 0 && checkedOut === head;
  return {
    head,
    tree: await treeOf(privateGit, head),
    files: files.slice(0, NAMED_FILES),
    uncommitted: isClean ? null : hash({ checkedOut, marks: await fileMarks(privateGit.path, files) }),
  };
}

/** Undefined for a missing worktree. */
export async function listWorktree(
  { repoPath, path, branch, ...place }: WorktreePlace,
  git: Git = createGit(),
): Promise<ListedWorktree | undefined> {
  if (!(await exists(path))) return undefined;
  const isCheckout = defined({ isCheckout: place.isCheckout });
  const privateGit = await openPrivateGit({ repoPath, path, branch, ...isCheckout }, git);
  return { privateGit, standsOn: await commitOfHead(privateGit), status: await readStatus(privateGit) };
}

/** The branch's commit and tree. Needs no worktree. */
async function readTip(repoPath: string, branch: string, lastKnown: string | undefined, git: Git) {
  const gitDir = await commonDirectory(repoPath);
  const args = ['for-each-ref', '--format=%(objectname) %(tree)', `refs/heads/${branch}`];
  const [head = '', tree = ''] = (await git.read(gitDir, args, { gitDir })).split(' ');
  if (head === '') throw branchGone(repoPath, branch, lastKnown);
  return { head, tree };
}

function branchGone(repoPath: string, branch: string, commit = '<commit>'): DevflowError {
  return new DevflowError('git_failed', `The branch ${branch} is gone from ${repoPath}.`, {
    recoveryHint: `Restore it, then approve again: git -C ${repoPath} branch ${branch} ${commit}`,
  });
}

/** The commits of `to` that `from` does not have, oldest first; none if git fails. */
export async function commitsSince(repoPath: string, from: string, to: string): Promise<string[]> {
  if (from === to) return [];
  return listCommits(repoPath, from, to, MOST_COMMITS).catch(() => []);
}
