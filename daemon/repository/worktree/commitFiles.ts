import { DevflowError } from '../../../schemas/errors.ts';
import type { GitOutput } from '../git/gitCommand.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex, withIndex, writeTree } from '../privateGit/privateIndex.ts';
import { commitNamed } from '../privateGit/workCommit.ts';
import { type CommitWork, recordCommit } from './commitMessage.ts';
import { settleWorktree } from './worktreeHead.ts';
import { readStatus } from './worktreeStatus.ts';

export interface CommitFiles extends CommitWork {
  /** Relative to the worktree. */
  paths: readonly string[];
}

export interface CommittedFiles {
  /** Null if the branch has the files already. */
  commit: string | null;
  /** The commit of the branch before. */
  onto: string;
  /** The files among them that the repository ignores. */
  ignored: string[];
}

/**
 * Commits these files to devflow's branch, and nothing else of the worktree. After a kill, the next call finds the commit: no
 * other files differ in it. Throws git_failed.
 */
export async function commitFiles(input: CommitFiles): Promise<CommittedFiles> {
  const privateGit = await openPrivateGit(input.worktree);
  const { tip, files, paths } = await readStatus(privateGit);
  if (tip === null) throw new DevflowError('git_failed', `The branch ${privateGit.branch} is gone.`);
  const wanted = paths.filter((_, at) => input.paths.includes(files[at] ?? ''));
  if (wanted.length === 0) {
    const onto = tip === input.since ? null : await ontoOf(privateGit, tip, input.paths);
    const found = onto === null ? { commit: null, onto: tip } : { commit: tip, onto };
    if (onto !== null) await settle(privateGit);
    return { ...found, ignored: await ignoredIn(privateGit, tip, input.paths) };
  }
  const tree = await withIndex(privateGit, (index) => writeTree(privateGit, index, wanted));
  const commit = await recordCommit(privateGit, input, { tree, parents: [tip], tip });
  await settle(privateGit);
  return { commit, onto: tip, ignored: await ignoredIn(privateGit, commit, input.paths) };
}

async function settle(privateGit: PrivateGit): Promise<void> {
  await giveIndex(privateGit);
  await settleWorktree(privateGit);
}

/** The parent of a commit that changes only these files; null for any other commit. */
async function ontoOf(privateGit: PrivateGit, commit: string, paths: readonly string[]): Promise<string | null> {
  const [onto, other] = [await commitNamed(privateGit, `${commit}^1`), await commitNamed(privateGit, `${commit}^2`)];
  if (onto === undefined || other !== undefined) return null;
  const args = ['diff-tree', '-r', '-z', '--name-only', onto, commit];
  const changed = namesIn((await privateGit.objects(args, { read: true })).stdout);
  return changed.every((path) => paths.includes(path)) ? onto : null;
}

async function ignoredIn(privateGit: PrivateGit, commit: string, paths: readonly string[]): Promise<string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', commit, '--', ...paths];
  const there = namesIn((await privateGit.objects(args, { read: true })).stdout);
  const absent = paths.filter((path) => !there.includes(path));
  if (absent.length === 0) return [];
  const all = await checkIgnore(privateGit, absent);
  if (all.exitCode !== 128) return namesIn(all.stdout);
  // git refuses a path beyond a link or in a submodule, and with it all others.
  const ignored: string[] = [];
  for (const path of absent) if ((await checkIgnore(privateGit, [path])).exitCode === 0) ignored.push(path);
  return ignored;
}

function checkIgnore(privateGit: PrivateGit, paths: readonly string[]): Promise<GitOutput> {
  const input = paths.map((path) => `${path}\0`).join('');
  return privateGit.run(['check-ignore', '-z', '--stdin'], { read: true, accept: [0, 1, 128], input });
}

function namesIn(listed: string): string[] {
  return listed.split('\0').filter((name) => name !== '');
}
