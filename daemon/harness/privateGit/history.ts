import type { PrivateGit } from './privateGit.ts';

/** Whether `commit` contains `ancestor`. A commit contains itself. */
export async function isAncestor(privateGit: PrivateGit, ancestor: string, commit: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, commit];
  return (await privateGit.objects(args, { read: true, accept: [0, 1] })).exitCode === 0;
}

/** The newest commit that both contain; undefined if they have no common one. */
export async function commonBase(privateGit: PrivateGit, one: string, other: string): Promise<string | undefined> {
  const { stdout } = await privateGit.objects(['merge-base', one, other], { read: true, accept: [0, 1] });
  return stdout === '' ? undefined : stdout;
}

/** Trees by full commit id. A commit's id is a hash of its tree's, so an entry cannot become wrong. */
const trees = new Map<string, string>();
const MOST_TREES = 10_000;

/** Throws git_failed if there is no such commit. A start of git is saved where devflow knows the commit already. */
export async function treeOf(privateGit: PrivateGit, commit: string): Promise<string> {
  const known = trees.get(commit);
  if (known !== undefined) return known;
  const tree = (await privateGit.objects(['rev-parse', '--verify', `${commit}^{tree}`], { read: true })).stdout;
  rememberTree(commit, tree);
  return tree;
}

/** Only full ids are remembered: what a ref or a short id names may change. */
export function rememberTree(commit: string, tree: string): void {
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return;
  if (trees.size >= MOST_TREES) trees.delete(trees.keys().next().value as string);
  trees.set(commit, tree);
}
