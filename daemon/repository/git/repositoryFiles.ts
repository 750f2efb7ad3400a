import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { readRegularText } from '../../../schemas/files/openRegular.ts';
import { orElse } from '../../../schemas/orElse.ts';
import { createRecentEntries } from './recentEntries.ts';

// Several of these calls precede each call of git, and each takes microseconds. They are synchronous because an
// asynchronous call waits for a thread. That takes a hundred times as long on a busy machine.

/** git's entry of one worktree, as gitrepository-layout(5) describes it. */
export interface WorktreeEntry {
  /** `<common>/worktrees/<id>`. */
  directory: string;
  /** Full ref name; null if HEAD is detached. */
  ref: string | null;
  /** The reason of a lock; '' for a lock without a reason; null if not locked. */
  lock: string | null;
}

/** The git directory of one checkout, and the one that all worktrees of its repository share. */
export interface GitDirectories {
  gitDir: string;
  common: string;
}

/**
 * The directory that all worktrees of a repository share. It is read from files. Git would search from its working
 * directory, where an agent may have made a repository.
 */
export async function commonDirectory(repoPath: string): Promise<string> {
  return (await gitDirectories(repoPath)).common;
}

/** Like `commonDirectory`, with the git directory of this checkout. Throws git_failed. */
export async function gitDirectories(repoPath: string): Promise<GitDirectories> {
  const dotGit = join(repoPath, '.git');
  const facts = factsOf(dotGit);
  if (facts?.isDirectory()) {
    const gitDir = realpathSync.native(dotGit);
    return { gitDir, common: gitDir };
  }
  const gitDir = facts?.isSymbolicLink() ? realPathOf(dotGit) : await gitDirOf(dotGit);
  if (gitDir === undefined) {
    throw new DevflowError('git_failed', `${repoPath} is no longer a git repository.`, {
      recoveryHint: 'Restore the repository, then approve to try again.',
    });
  }
  const shared = await readText(join(gitDir, 'commondir'));
  const common = realPathOf(shared === undefined ? gitDir : resolve(gitDir, shared)) ?? gitDir;
  return { gitDir, common };
}

/** The git directory that a `.git` file names. */
async function gitDirOf(dotGit: string): Promise<string | undefined> {
  const target = /^gitdir: (.+)$/s.exec((await readText(dotGit)) ?? '')?.[1];
  return target === undefined ? undefined : resolve(dirname(dotGit), target);
}

/** More worktrees than a daemon uses at once. */
const MOST_WORKTREES = 300;

/** git's entries by worktree. Each use checks that the entry still names the worktree. */
const cache = createRecentEntries<string>(MOST_WORKTREES);

/** git's entry of the worktree at `path` (canonical), whether or not its directory exists. */
export async function findWorktree(common: string, path: string): Promise<WorktreeEntry | undefined> {
  const key = `${common}\0${path}`;
  const remembered = cache.get(key);
  if (remembered !== undefined && (await names(remembered, path))) return readEntry(remembered);
  cache.delete(key);
  const root = join(common, 'worktrees');
  for (const id of orElse(() => readdirSync(root), [])) {
    const directory = join(root, id);
    if (!(await names(directory, path))) continue;
    cache.set(key, directory);
    return readEntry(directory);
  }
  return undefined;
}

async function names(directory: string, path: string): Promise<boolean> {
  if (!(await isDirectory(directory))) return false;
  const text = await readText(join(directory, 'gitdir'));
  return text !== undefined && resolve(directory, text) === join(path, '.git');
}

async function readEntry(directory: string): Promise<WorktreeEntry> {
  const [head, lock] = [await readText(join(directory, 'HEAD')), await readText(join(directory, 'locked'))];
  return { directory, ref: /^ref: (.+)$/.exec(head ?? '')?.[1] ?? null, lock: lock ?? null };
}

/** The longest log of a HEAD that devflow reads. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The text of a regular file without its last newline; undefined if there is no such file. */
export async function readText(path: string): Promise<string | undefined> {
  return readRegularText(path, MOST_BYTES)?.replace(/\n$/, '');
}

/** True if the path is a directory and not a link to one. */
export async function isDirectory(path: string): Promise<boolean> {
  return factsOf(path)?.isDirectory() ?? false;
}

export async function exists(path: string): Promise<boolean> {
  return factsOf(path) !== undefined;
}

/** The path as git registers it: with the parent's links resolved. The directory itself may be gone. */
export async function canonical(path: string): Promise<string> {
  return join(realPathOf(dirname(path)) ?? dirname(path), basename(path));
}

function factsOf(path: string): Stats | undefined {
  return orElse(() => lstatSync(path, { throwIfNoEntry: false }));
}

function realPathOf(path: string): string | undefined {
  return orElse(() => realpathSync.native(path));
}
