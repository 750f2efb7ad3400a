import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { lookInside, readInside } from '../../../schemas/files/insideRoot.ts';
import { hash, sha256hex } from '../../../schemas/hash.ts';
import type { WorktreeState } from '../../../schemas/worktreeState.ts';
import { listCommits } from '../git/commits.ts';
import { createGit, type Git } from '../git/git.ts';
import { commonDirectory, exists } from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { openPrivateGit } from '../privateGit/privateGit.ts';
import { commitOfHead } from './worktreeHead.ts';
import { counts, readStatus } from './worktreeStatus.ts';

/** Larger files are compared only by size and time. */
const HASHED_BYTES = 64 * 1024 * 1024;
const NAMED_FILES = 100;
const MOST_COMMITS = 20;

export interface ReadWorktree extends WorktreePlace {
  /** A commit that the branch had, for the hint on how to restore it. */
  lastKnown?: string;
}

/** The state of branch and worktree. It reads devflow's branch, whatever is checked out. A missing worktree has no changes. */
export async function readWorktree(
  { repoPath, path, branch, lastKnown, except }: ReadWorktree,
  git: Git = createGit(),
): Promise<WorktreeState> {
  const gitDir = await commonDirectory(repoPath);
  const args = ['for-each-ref', '--format=%(objectname) %(tree)', `refs/heads/${branch}`];
  // A person waits for both calls at every gate, so they run side by side.
  const reading = readFiles({ repoPath, path, branch }, git);
  reading.catch(() => {});
  const [head = '', tree = ''] = (await git.read(gitDir, args, { gitDir })).split(' ');
  if (head === '') throw branchGone(repoPath, branch, lastKnown);
  const found = await reading;
  if (!found) return { head, tree, files: [], uncommitted: null };
  const { standsOn, status } = found;
  const checkedOut = standsOn === 'branch' ? head : standsOn;
  const files = [...status.files, ...status.nested].filter((name) => counts(name, except)).sort();
  const isClean = files.length === 0 && checkedOut === head;
  const marks = files.map((name) => [name, markOf(path, name)]);
  return {
    head,
    tree,
    files: files.slice(0, NAMED_FILES),
    uncommitted: isClean ? null : hash({ checkedOut, marks }),
  };
}

/** Undefined for a missing worktree. */
async function readFiles(place: WorktreePlace, git: Git) {
  if (!(await exists(place.path))) return undefined;
  const privateGit = await openPrivateGit(place, git);
  return { standsOn: await commitOfHead(privateGit), status: await readStatus(privateGit) };
}

function branchGone(repoPath: string, branch: string, commit = '<commit>'): DevflowError {
  return new DevflowError('git_failed', `The branch ${branch} is gone from ${repoPath}.`, {
    recoveryHint: `Restore it, then approve again: git -C ${repoPath} branch ${branch} ${commit}`,
  });
}

/** A text that changes if the uncommitted file changes. */
function markOf(worktree: string, path: string): string {
  const relPath = path.replace(/\/$/, '');
  const looked = lookInside(worktree, relPath);
  if (!looked.ok) return 'gone';
  const { facts } = looked;
  if (facts.isSymbolicLink()) return `link ${linkTarget(join(worktree, relPath))}`;
  if (!facts.isFile()) return `other ${facts.mode}`;
  const read = readInside(worktree, relPath, HASHED_BYTES);
  return `${facts.mode} ${read.ok ? sha256hex(read.bytes) : `${facts.size} ${facts.mtimeMs}`}`;
}

function linkTarget(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : '';
  } catch {
    return '';
  }
}

/** The commits of `to` that `from` does not have, oldest first; none if git fails. */
export async function commitsSince(
  repoPath: string,
  from: string,
  to: string,
  git: Git = createGit(),
): Promise<string[]> {
  if (from === to) return [];
  return listCommits(repoPath, from, to, MOST_COMMITS, git).catch(() => []);
}
