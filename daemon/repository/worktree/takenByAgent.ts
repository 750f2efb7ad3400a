import { textOf } from '../git/pathBytes.ts';
import { isExcluded, readExcluded } from '../privateGit/ownExcludes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

/**
 * Paths that devflow excludes in this worktree, but that commits after `since` have (`git add -f .env`). One character per
 * byte.
 */
export async function takenByAgent(
  privateGit: PrivateGit,
  since: string,
  tips: readonly (string | null)[],
): Promise<string[]> {
  const ends = [...new Set(tips)].filter((tip) => tip !== null && tip !== since) as string[];
  const found = ends.length === 0 ? [] : await excludedIn(privateGit, [`^${since}`, ...ends]);
  if (found.length === 0) return [];
  // Files that the branch had before are somebody's work.
  const { stdout: before } = await privateGit.objects(['ls-tree', '-r', '--name-only', '-z', since], {
    read: true,
    bytes: true,
    timeoutMs: 600_000,
  });
  const known = new Set(before.split('\0'));
  return found.filter((path) => !known.has(path)).sort();
}

/** The paths that devflow excludes in this worktree, and that these commits add. Also what a later one takes out again. */
export async function excludedIn(privateGit: PrivateGit, commits: readonly string[]): Promise<string[]> {
  const excluded = readExcluded(privateGit.gitDir);
  if (excluded.size === 0) return [];
  const how = ['--format=', '--name-only', '-z', '--no-renames', '-m', '--diff-filter=AMT'];
  const { stdout } = await privateGit.objects(['log', ...how, ...commits, '--'], {
    read: true,
    bytes: true,
    timeoutMs: 600_000,
  });
  const added = new Set(stdout.split('\0').map((path) => path.replace(/^\n+/, '')));
  added.delete('');
  return [...added].filter((path) => isExcluded(excluded, path));
}

/** Their names, as many as an event has room for. */
export function namesOf(paths: readonly string[]): string[] {
  return paths.slice(0, 200).map(textOf);
}
