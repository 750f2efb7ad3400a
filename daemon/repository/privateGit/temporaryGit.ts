import { lstat, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStartTime } from '../../commands/processIdentity.ts';
import type { Git } from '../git/git.ts';
import { commonDirectory } from '../git/repositoryFiles.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { makePrivateGit, openPrivateGit, type PrivateGit } from './privateGit.ts';

const PREFIX = 'devflow-git-';

/**
 * Calls `use` with the private git directory. It makes a temporary one for a person's checkout, and for a
 * worktree that is gone, so that a person can still see the work.
 */
export async function withPrivateGit<T>(
  place: WorktreePlace,
  git: Git,
  use: (privateGit: PrivateGit) => Promise<T>,
): Promise<T> {
  const privateGit = place.isCheckout ? undefined : await openPrivateGit(place, git).catch(() => undefined);
  if (privateGit) return use(privateGit);
  return withTemporaryGit(place, await commonDirectory(place.repoPath), git, use);
}

/** Calls `use` with a temporary private git directory. No filters run in it. */
export async function withTemporaryGit<T>(
  place: WorktreePlace,
  common: string,
  git: Git,
  use: (privateGit: PrivateGit) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), `${PREFIX}${await ownerName()}-`));
  try {
    return await use(await makePrivateGit(place, common, { directory, ref: null, lock: null }, git, []));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Removes the temporary directories of processes that were killed. Those of running processes stay, and those of other pid
 * namespaces, whose processes are not visible here. A rehearsal has its own, for example, and shares the directory.
 */
export async function sweepTemporaryGit(): Promise<void> {
  const root = tmpdir();
  const here = await pidNamespace();
  for (const name of await readdir(root)) {
    const [, pid, startTime, namespace] = OWNED.exec(name) ?? [];
    if (pid === undefined || startTime === undefined || (namespace ?? here) !== here) continue;
    const owner = await readStartTime(Number(pid));
    if (owner !== undefined && idOf(owner) === startTime) continue;
    const facts = await lstat(join(root, name)).catch(() => undefined);
    if (!facts?.isDirectory() || facts.uid !== process.getuid?.()) continue;
    const isOver = namespace !== undefined || Date.now() - facts.mtimeMs > DAY_MS;
    if (isOver) await rm(join(root, name), { recursive: true, force: true });
  }
}

/** An older devflow named no pid namespace. Its process may be alive where nobody sees it here, so its directory stays for a day. */
const OWNED = new RegExp(`^${PREFIX}(\\d+)-(\\w+)(?:-(\\d+))?-\\w+$`);
const DAY_MS = 24 * 60 * 60 * 1_000;

async function ownerName(): Promise<string> {
  return `${process.pid}-${idOf((await readStartTime(process.pid)) ?? '')}-${await pidNamespace()}`;
}

/** The number of this process's pid namespace; 0 where the system has none. */
async function pidNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? '0';
}

/** A start time, as part of a file name. */
function idOf(startTime: string): string {
  return startTime.replace(/\W/g, '_') || '0';
}
