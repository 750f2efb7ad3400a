import { textOf } from '../git/pathBytes.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { isAncestor } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { conflictedPaths } from '../tree/mergeTrees.ts';
import { advanceBranch, withMovable } from './advanceBranch.ts';
import { automaticMerge } from './automaticMerge.ts';
import { branchTip } from './branchTip.ts';
import { mergeCommit } from './mergeCommit.ts';

export interface UpdateLane {
  /** The worktree of the lane. */
  worktree: WorktreePlace;
  /** The newest commit of the lane. */
  head: string;
  /** The commit to merge into it. */
  onto: string;
  runId: string;
  laneId: string;
  /** The time of the commit (ISO 8601, UTC). */
  at: string;
}

/**
 * The lane's new commit, or why it has none: files that conflict, or another commit of its branch. `late`: the branch has
 * commits that came after `head`, and they are in it.
 */
export type UpdatedLane = { commit: string; late?: true } | { conflict: string[] } | { raced: string };

/**
 * Merges a commit into a lane, with the files of its worktree. Repeats itself after a kill, and replaces its own merge of an
 * earlier commit. Takes in what an agent committed after its turn. On a conflict nothing changes.
 * Throws git_failed if uncommitted files would be lost.
 */
export function updateLane(input: UpdateLane): Promise<UpdatedLane> {
  const { worktree, head, onto } = input;
  return withMovable(worktree, async (privateGit) => {
    const tip = await branchTip(privateGit);
    const ours = await commitOf(privateGit, input);
    if (ours === tip) return { commit: tip };
    const isKnown = tip === head || (await isEarlierMerge(privateGit, input, tip));
    if (!isKnown && !(await isAncestor(privateGit, head, tip))) return { raced: tip };
    const to = isKnown ? ours : await commitOf(privateGit, { ...input, head: tip });
    if (typeof to !== 'string') return to;
    const isThere = tip === to || (await advanceBranch(privateGit, { from: tip, to, why: `devflow: merge ${onto}` }));
    if (!isThere) return { raced: await branchTip(privateGit) };
    return isKnown ? { commit: to } : { commit: to, late: true };
  });
}

async function commitOf(privateGit: PrivateGit, input: UpdateLane): Promise<string | { conflict: string[] }> {
  const { head, onto, runId, laneId, at } = input;
  if (await isAncestor(privateGit, onto, head)) return head;
  if (await isAncestor(privateGit, head, onto)) return onto;
  const merged = await automaticMerge(privateGit, head, onto);
  if (merged.conflicts.length > 0) return { conflict: conflictedPaths(merged).map(textOf) };
  const subject = `devflow: merge main into ${laneId}`;
  return mergeCommit(privateGit, { tree: merged.tree, parents: [head, onto], subject, runId, laneId, at });
}

/** True if an earlier call, for a commit that `onto` contains, made this tip. Its caller had lost interest by then. */
async function isEarlierMerge(privateGit: PrivateGit, input: UpdateLane, tip: string): Promise<boolean> {
  const { stdout } = await privateGit.objects(['log', '-1', '--format=%P', tip, '--'], { read: true });
  const [, merged] = stdout.split(' ');
  for (const onto of [tip, ...(merged ? [merged] : [])]) {
    if (!(await isAncestor(privateGit, onto, input.onto))) continue;
    if ((await commitOf(privateGit, { ...input, onto })) === tip) return true;
  }
  return false;
}
