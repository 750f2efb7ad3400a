import { defined } from '../../../schemas/defined.ts';
import { createGit, type Git } from '../git/git.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { independent, measure, treeOf } from '../privateGit/history.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex, readTree, withIndex, writeTreeWithout } from '../privateGit/privateIndex.ts';
import { type CommitWork, findCommit, recordCommit, resetBranch } from './commitMessage.ts';
import { commitSteps, listSteps } from './commitSteps.ts';
import type { ListedWorktree } from './readWorktree.ts';
import { namesOf, takenByAgent } from './takenByAgent.ts';
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
  /** Files that the set-up copied or made, and that the agent committed all the same. No commit of the branch has it. */
  leftOut?: string[];
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
  const taken = earlier === null ? await takenByAgent(privateGit, input.since, [status.tip, moved ? head : null]) : [];
  const made =
    earlier === null
      ? await makeCommit(privateGit, input, status, { head: moved ? head : null, taken })
      : { commit: earlier, ...(await measure(privateGit, input.since, earlier)) };
  if (moved || made !== null || taken.length > 0) await giveIndex(privateGit);
  await settleWorktree(privateGit);
  const steps = input.steps && made ? await listSteps(privateGit, input, made.commit) : [];
  const more = defined({
    steps: steps.length > 0 ? steps : undefined,
    leftOut: taken.length > 0 ? namesOf(taken) : undefined,
  });
  return { work: { ...(made ?? NOTHING), ...nested, ...more } };
}

const NOTHING: CommittedWork = { commit: null, files: 0, insertions: 0, deletions: 0 };

/** Null if nothing differs from `since`. Commits with what no commit may have do not become ancestors. */
async function makeCommit(
  privateGit: PrivateGit,
  input: CommitWork,
  status: WorktreeStatus,
  { head, taken }: { head: string | null; taken: readonly string[] },
) {
  const { tip } = status;
  const tree = await withIndex(privateGit, async (index) => {
    if (head === null || head === tip) return writeTreeWithout(privateGit, index, status.paths, taken);
    // Files of the agent's commits count, even if its ignore files hide them.
    await readTree(privateGit, index, head);
    return writeTreeWithout(privateGit, index, (await readStatus(privateGit, index)).paths, taken);
  });
  const parents = taken.length > 0 ? [input.since] : await independent(privateGit, [input.since, tip, head]);
  if (parents.length === 1 && parents[0] === input.since && tree === (await treeOf(privateGit, input.since))) {
    if (taken.length > 0) await resetBranch(privateGit, input.since, tip);
    return null;
  }
  // Side by side: a person waits for both.
  const [commit, size] = await Promise.all([
    recordCommit(privateGit, input, { tree, parents, tip }),
    measure(privateGit, input.since, tree),
  ]);
  return { commit, ...size };
}

/** The difference between two commits of a branch, in files and lines. */
export async function measureWork(worktree: WorktreePlace, since: string, commit: string): Promise<CommittedWork> {
  return { commit, ...(await measure(await openPrivateGit(worktree), since, commit)) };
}
