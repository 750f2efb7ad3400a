import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hash, sha256hex } from '../../schemas/hash.ts';
import { lookInside, readInside } from '../../schemas/insideRoot.ts';
import type { WorktreeState } from '../../schemas/worktreeState.ts';
import { dirtyFiles } from './dirty.ts';
import { createGit, type Git } from './git.ts';
import { exists } from './worktreeList.ts';

/** Of larger files only size and time count. */
const HASHED_BYTES = 64 * 1024 * 1024;
const NAMED_FILES = 100;

export interface Place {
  repoPath: string;
  worktree: string;
  branch: string;
}

/** Where branch and worktree stand. The branch counts, whatever is checked out. A worktree that is gone has no changes. */
export async function readWorktree(
  { repoPath, worktree, branch }: Place,
  git: Git = createGit(),
): Promise<WorktreeState> {
  const ref = `refs/heads/${branch}`;
  const [head = '', tree = ''] = (await git.read(repoPath, ['rev-parse', `${ref}^{commit}`, `${ref}^{tree}`])).split(
    '\n',
  );
  if (!(await exists(worktree))) return { head, tree, files: [], uncommitted: null };
  const checkedOut = await git.read(worktree, ['rev-parse', '--verify', 'HEAD^{commit}'], { accept: [0, 128] });
  const files = (await dirtyFiles(worktree, git)).sort();
  const isClean = files.length === 0 && checkedOut === head;
  const marks = files.map((path) => [path, markOf(worktree, path)]);
  return {
    head,
    tree,
    files: files.slice(0, NAMED_FILES),
    uncommitted: isClean ? null : hash({ checkedOut, marks }),
  };
}

/** What tells two versions of an uncommitted file apart. */
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

/** Commits of the branch that `from` does not have, oldest first; none where git cannot tell. */
export async function commitsSince(
  repoPath: string,
  from: string,
  to: string,
  git: Git = createGit(),
): Promise<string[]> {
  if (from === to) return [];
  const range = ['rev-list', '--reverse', '--max-count=20', `${from}..${to}`];
  const list = await git.read(repoPath, range).catch(() => '');
  return list.split('\n').filter((line) => line !== '');
}
