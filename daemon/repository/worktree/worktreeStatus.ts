import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ARTIFACTS } from '../../../schemas/names.ts';
import { textOf } from '../git/pathBytes.ts';
import { exists } from '../git/repositoryFiles.ts';
import { parseStatus, statusArgs } from '../git/statusOutput.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { listGitlinks } from '../privateGit/gitlinks.ts';
import { type Excluded, isExcluded, readExcluded } from '../privateGit/ownExcludes.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { syncIndex } from '../privateGit/privateIndex.ts';
import {
  hasMoved,
  isInPlace,
  type KnownSubmodule,
  readKnown,
  submodulePrivateGit,
} from '../submodule/knownSubmodules.ts';

/** The difference between the files of a worktree and devflow's branch. */
export interface WorktreeStatus {
  /** The commit of the branch; null if it has none. */
  tip: string | null;
  /** Changed, deleted and untracked files, relative to the worktree. */
  files: string[];
  /** `files` as the bytes that git prints, one character per byte. */
  paths: string[];
  /** The `files` that the branch does not have. */
  untracked: string[];
  /**
   * Repositories inside the worktree, with a slash at the end. They are unknown to the branch, or submodules whose
   * files or commits changed.
   */
  nested: string[];
}

/**
 * Runs `git status` without entering repositories inside the worktree. If somebody else moved the branch, it updates the
 * index first.
 */
export async function readStatus(privateGit: PrivateGit, index?: string): Promise<WorktreeStatus> {
  const first = await look(privateGit, index);
  if (!first.lagging || index !== undefined) return first.status;
  await syncIndex(privateGit, 'HEAD');
  return (await look(privateGit)).status;
}

/**
 * Files that differ from devflow's branch, relative to the worktree. Repositories inside the worktree count, and end with a
 * slash. Ignored files do not count.
 */
export async function uncommittedFiles(place: WorktreePlace): Promise<string[]> {
  return countedFiles(await readStatus(await openPrivateGit(place)), place.except);
}

/** The files and repositories of a worktree that count as uncommitted. */
export function countedFiles({ files, nested }: WorktreeStatus, except: WorktreePlace['except']): string[] {
  return [...files, ...nested].filter((name) => counts(name, except));
}

/** True if a change of this path counts. */
export function counts(name: string, except: WorktreePlace['except'] = []): boolean {
  return !except.some((one) => name === one || (one.endsWith('/') && name.startsWith(one)));
}

/** Undefined if there is no worktree, or git cannot read it. */
export async function countUncommitted(place: WorktreePlace): Promise<number | undefined> {
  if (!(await exists(place.path))) return undefined;
  return uncommittedFiles(place).then(
    (files) => files.length,
    () => undefined,
  );
}

async function look(privateGit: PrivateGit, index?: string): Promise<{ status: WorktreeStatus; lagging: boolean }> {
  const [text, changed] = await Promise.all([
    privateGit.read(statusArgs('all', '--branch'), { index, timeoutMs: 600_000, bytes: true }),
    changedSubmodules(privateGit, index),
  ]);
  const { status, lagging } = statusOf(text, readExcluded(privateGit.gitDir));
  return { status: { ...status, nested: [...status.nested, ...changed] }, lagging };
}

/** `lagging`: the index differs from the branch. */
function statusOf(text: string, excluded: Excluded): { status: WorktreeStatus; lagging: boolean } {
  const { oid: tip, entries: all } = parseStatus(text);
  // A `!` line of an ignore file outweighs the exclude file.
  const entries = all.filter(({ untracked, path }) => !(untracked && isExcluded(excluded, path.replace(/\/$/, ''))));
  // Without a branch all files count.
  const isChanged = ({ changed }: (typeof entries)[number]) => changed || tip === null;
  const isNested = ({ untracked, path }: (typeof entries)[number]) => untracked && path.endsWith('/');
  const files = entries.filter(
    (entry) => isChanged(entry) && !isNested(entry) && !(entry.untracked && entry.path.startsWith(`${ARTIFACTS}/`)),
  );
  const status = {
    tip,
    files: files.map(({ path }) => textOf(path)),
    paths: files.map(({ path }) => path),
    untracked: files.filter(({ untracked }) => untracked).map(({ path }) => textOf(path)),
    nested: entries.filter(isNested).map(({ path }) => textOf(path)),
  };
  return { status, lagging: tip !== null && entries.some(({ staged }) => staged) };
}

/** Submodules whose files changed. */
async function changedSubmodules(privateGit: PrivateGit, index?: string): Promise<string[]> {
  const links = await listGitlinks(privateGit, index);
  if (links.length === 0) return [];
  const known = new Map((await readKnown(privateGit)).map((each) => [`${each.commit} ${each.path}`, each]));
  const changed: string[] = [];
  for (const { commit, path } of links) {
    if (!(await isInPlace(privateGit, path))) continue;
    const names = await readdir(join(privateGit.path, path)).catch(() => []);
    const filled = known.get(`${commit} ${path}`);
    if (names.length > 0 && !(filled && (await isUnchanged(privateGit, filled)))) changed.push(`${path}/`);
  }
  return changed;
}

/** True if a submodule has the files, the commit and the refs that devflow put there. */
export async function isUnchanged(privateGit: PrivateGit, submodule: KnownSubmodule): Promise<boolean> {
  if (await hasMoved(privateGit, submodule)) return false;
  const { files, nested } = await readStatus(await submodulePrivateGit(privateGit, submodule));
  return files.length === 0 && nested.length === 0;
}
