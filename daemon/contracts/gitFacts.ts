import { lstatSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { orElse } from '../../schemas/orElse.ts';
import { gitDirectories } from '../repository/git/repositoryFiles.ts';

/**
 * Facts that git has of a repository. Git gets its directory by name, so it searches for none. It reads neither the
 * person's configuration nor files, and runs no hook and no filter.
 */

export interface Commit {
  sha: string;
  subject: string;
  /** Milliseconds since 1970. */
  at: number;
}

const MOST_COMMITS = 5_000;
const OBJECT_ID = /^[0-9a-f]{7,64}$/;
const LATEST_TIME = 8.64e15;

/** The checkout that a directory is in; undefined if it is in none. */
export function findCheckout(directory: string): string | undefined {
  for (let here = directory; ; here = dirname(here)) {
    if (isThere(join(here, '.git'))) return here;
    if (here === dirname(here)) return undefined;
  }
}

function isThere(path: string): boolean {
  // It throws for a name that is too long, and for a directory that may not be entered.
  return orElse(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

/** The commits after `from` until HEAD, the oldest first; or why there is no answer. */
export async function commitsSince(
  checkout: string,
  from: string,
): Promise<{ ok: true; commits: Commit[] } | { ok: false; reason: string }> {
  if (!OBJECT_ID.test(from)) return { ok: false, reason: 'session_start_sha is no commit' };
  const args = ['rev-list', '--reverse', `--max-count=${MOST_COMMITS + 1}`, '--encoding=UTF-8'];
  const output = await readGit(checkout, [...args, '--format=%H%x09%ct%x09%s', `${from}..HEAD`, '--']);
  if (output === undefined) return { ok: false, reason: 'git cannot list the commits since session_start_sha' };
  const commits = output.split('\n').flatMap(commitOf);
  if (commits.length <= MOST_COMMITS) return { ok: true, commits };
  return { ok: false, reason: `there are more than ${MOST_COMMITS} commits since session_start_sha` };
}

/** True if git tracks a file of a checkout. */
export async function isTracked(checkout: string, path: string): Promise<boolean> {
  const name = relative(checkout, path);
  return (await readGit(checkout, ['ls-files', '--cached', '-z', '--', `:(top,literal)${name}`])) === `${name}\0`;
}

/** The output of git; undefined if it fails, or if there is no git. */
async function readGit(checkout: string, args: readonly string[]): Promise<string | undefined> {
  try {
    // Loaded only here, because most commands of contracts need no git.
    const { createGit } = await import('../repository/git/git.ts');
    const { gitDir } = await gitDirectories(checkout);
    return await createGit().read(gitDir, args, { gitDir, settings: ['core.bare=true'] });
  } catch {
    return undefined;
  }
}

function commitOf(line: string): Commit[] {
  const [sha = '', seconds = '', ...subject] = line.split('\t');
  if (seconds === '') return [];
  const at = Number(seconds) * 1000;
  return [{ sha, subject: subject.join('\t'), at: Math.abs(at) <= LATEST_TIME ? at : 0 }];
}
