import { lstat, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepText, type Lane, replace } from './lane.ts';
import { exists, readText } from './repositoryFiles.ts';

/** The commit that is checked out in the worktree; `branch` while that is devflow's own branch, null for none. */
export async function commitOfHead(lane: Lane): Promise<string | 'branch' | null> {
  if (lane.entry.ref === `refs/heads/${lane.branch}`) return 'branch';
  const name = lane.entry.ref ?? (await readText(join(lane.entry.directory, 'HEAD'))) ?? '';
  return resolveCommit(lane, name);
}

/** Null where there is no such commit. */
export async function resolveCommit(lane: Lane, name: string): Promise<string | null> {
  if (!/^(?:[0-9a-f]{40,64}|refs\/.+)$/.test(name)) return null;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { stdout } = await lane.objects(args, { read: true, accept: [0, 1, 128] });
  return stdout === '' ? null : stdout;
}

/** Those of the commits that no other one of them has as an ancestor, in the order they were given. */
export async function independent(lane: Lane, commits: readonly (string | null)[]): Promise<string[]> {
  const given = [...new Set(commits.filter((commit) => commit !== null))];
  if (given.length < 2) return given;
  const known = (await Promise.all(given.map((commit) => resolveCommit(lane, commit)))).filter((it) => it !== null);
  const kept = (await lane.objects(['merge-base', '--independent', ...known], { read: true })).stdout.split('\n');
  return known.filter((commit) => kept.includes(commit));
}

/**
 * For an agent's own git and for the next call: the worktree stands on devflow's branch, and its `.git` file names
 * git's entry. Files are not touched. What an agent put in the place of `.git` is moved beside the worktree.
 */
export async function settleWorktree(lane: Lane): Promise<void> {
  await keepText(join(lane.entry.directory, 'HEAD'), `ref: refs/heads/${lane.branch}\n`);
  const file = join(lane.path, '.git');
  const text = `gitdir: ${lane.entry.directory}\n`;
  if ((await readText(file)) === text.trimEnd()) return;
  if ((await lstat(file).catch(() => undefined))?.isDirectory()) await rename(file, await freeName(`${lane.path}.git`));
  await replace(file, (fresh) => writeFile(fresh, text));
}

async function freeName(path: string): Promise<string> {
  for (let n = 1; ; n++) if (!(await exists(`${path}.aside-${n}`))) return `${path}.aside-${n}`;
}
