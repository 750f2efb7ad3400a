import { parseNumstat, totals } from '../git/numstat.ts';
import { createRecentEntries } from '../git/recentEntries.ts';
import type { PrivateGit } from './privateGit.ts';
import { commitNamed } from './workCommit.ts';

/** True if `commit` contains `ancestor`. A commit contains itself. */
export async function isAncestor(privateGit: PrivateGit, ancestor: string, commit: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, commit];
  return (await privateGit.objects(args, { read: true, accept: [0, 1] })).exitCode === 0;
}

/** The newest commit that both contain; undefined if they have no common one. */
export async function commonBase(privateGit: PrivateGit, one: string, other: string): Promise<string | undefined> {
  const { stdout } = await privateGit.objects(['merge-base', one, other], { read: true, accept: [0, 1] });
  return stdout === '' ? undefined : stdout;
}

/** The commits that are no ancestor of another one, in the given order. */
export async function independent(privateGit: PrivateGit, commits: readonly (string | null)[]): Promise<string[]> {
  const given = [...new Set(commits.filter((commit) => commit !== null))];
  if (given.length < 2) return given;
  const known = (await Promise.all(given.map((commit) => commitNamed(privateGit, commit)))).filter(
    (it) => it !== undefined,
  );
  const kept = (await privateGit.objects(['merge-base', '--independent', ...known], { read: true })).stdout.split('\n');
  return known.filter((commit) => kept.includes(commit));
}

/** Commits of `to` that `from` does not have. */
export async function countCommits(privateGit: PrivateGit, from: string, to: string): Promise<number> {
  return Number((await privateGit.objects(['rev-list', '--count', `${from}..${to}`, '--'], { read: true })).stdout);
}

const MOST_TREES = 10_000;
/** Trees by full commit id. The id is a hash over the tree's id, so an entry never becomes wrong. */
const trees = createRecentEntries<string>(MOST_TREES);

/** Starts git only for a commit that it has not seen yet. Then throws git_failed if there is none. */
export async function treeOf(privateGit: PrivateGit, commit: string): Promise<string> {
  const known = trees.get(commit);
  if (known !== undefined) return known;
  const tree = (await privateGit.objects(['rev-parse', '--verify', `${commit}^{tree}`], { read: true })).stdout;
  rememberTree(commit, tree);
  return tree;
}

/** Ignores refs and short ids: what they name may change. */
export function rememberTree(commit: string, tree: string): void {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return;
  trees.set(commit, tree);
}

/** Counts the files and lines that two commits or trees differ by. */
export async function measure(privateGit: PrivateGit, since: string, to: string) {
  const flags = ['--numstat', '-z', '--no-ext-diff', '--no-textconv', '--find-renames', '--ignore-submodules=none'];
  const { stdout } = await privateGit.objects(['diff', ...flags, since, to, '--'], { read: true });
  return totals(parseNumstat(stdout));
}
