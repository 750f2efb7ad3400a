import { createGit, type Git } from '../git/git.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { independent, measure, treeOf } from '../privateGit/history.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex, readTree, withIndex, writeTree } from '../privateGit/privateIndex.ts';
import { type CommitWork, findCommit, recordCommit } from './commitMessage.ts';
import { commitSteps, listSteps } from './commitSteps.ts';
import type { ListedWorktree } from './readWorktree.ts';
import { commitOfHead, settleWorktree } from './worktreeHead.ts';
import { readStatus, type WorktreeStatus } from './worktreeStatus.ts';

export interface CommittedWork {
  /** Null if nothing changed. */
  commit: string | null;
  files: number;
  insertions: number;
  deletions: number;
  /** Repositories inside the worktree, which no commit contains. Absent if there are none. */
  nestedRepositories?: string[];
  /** The commits of its steps, the oldest first. Absent if it has none. */
  steps?: { step: number; commit: string }[];
}

/**
 * Commits the files of the worktree to devflow's branch, even if another branch is checked out there. It leaves out
 * ignored files and repositories inside the worktree. An agent's own commits become ancestors. After a crash, the next
 * call finds the commit by its trailers. No hook and no filter runs, and nothing is signed. Throws git_failed.
 */
export async function commitAndList(
  input: CommitWork,
  git: Git = createGit(),
): Promise<{ work: CommittedWork; listed?: ListedWorktree }> {
  const privateGit = await openPrivateGit(input.worktree, git);
  const [found, head] = await Promise.all([readStatus(privateGit), commitOfHead(privateGit)]);
  const nested = found.nested.length === 0 ? {} : { nestedRepositories: found.nested.map((path) => path.slice(0, -1)) };
  const moved = head !== 'branch';
  const isCut = input.steps !== undefined && !moved && (await commitSteps(privateGit, input, found));
  const status = isCut ? await readStatus(privateGit) : found;
  const clean = status.files.length === 0;
  if (clean && status.tip === input.since && !moved) {
    await settleWorktree(privateGit);
    return { work: { ...NOTHING, ...nested }, listed: { privateGit, standsOn: head, status } };
  }
  const earlier = clean && status.tip !== input.since ? await findCommit(privateGit, input) : null;
  const made =
    earlier === null
      ? await makeCommit(privateGit, input, status, moved ? head : null)
      : { commit: earlier, ...(await measure(privateGit, input.since, earlier)) };
  if (moved || made !== null) await giveIndex(privateGit);
  await settleWorktree(privateGit);
  const steps = input.steps && made ? await listSteps(privateGit, input, made.commit) : [];
  return { work: { ...(made ?? NOTHING), ...nested, ...(steps.length > 0 ? { steps } : {}) } };
}

const NOTHING: CommittedWork = { commit: null, files: 0, insertions: 0, deletions: 0 };

/** Null if nothing differs from `since`. */
async function makeCommit(privateGit: PrivateGit, input: CommitWork, status: WorktreeStatus, head: string | null) {
  const { tip } = status;
  const tree = await withIndex(privateGit, async (index) => {
    if (head === null || head === tip) return writeTree(privateGit, index, status.paths);
    // Files of the agent's commits count, even if its ignore files hide them.
    await readTree(privateGit, index, head);
    return writeTree(privateGit, index, (await readStatus(privateGit, index)).paths);
  });
  const parents = await independent(privateGit, [input.since, tip, head]);
  if (parents.length === 1 && parents[0] === input.since && tree === (await treeOf(privateGit, input.since)))
    return null;
  // Side by side: a person waits for both.
  const [commit, size] = await Promise.all([
    recordCommit(privateGit, input, { tree, parents, tip }),
    measure(privateGit, input.since, tree),
  ]);
  return { commit, ...size };
}

/** The difference between two commits of a branch, in files and lines. */
export async function measureWork(
  worktree: WorktreePlace,
  since: string,
  commit: string,
  git: Git = createGit(),
): Promise<CommittedWork> {
  return { commit, ...(await measure(await openPrivateGit(worktree, git), since, commit)) };
}
