import { createGit } from '../git/git.ts';
import { textOf } from '../git/pathBytes.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { isAncestor, treeOf } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { withPrivateGit } from '../privateGit/temporaryGit.ts';
import { conflictedPaths } from '../tree/mergeTrees.ts';
import { readChanges } from '../tree/treeChanges.ts';
import { type AutomaticMerge, automaticMerge } from './automaticMerge.ts';
import { mergeCommit } from './mergeCommit.ts';

export interface MergeLanes {
  /** The worktree whose branch the lanes are for. It is not changed. */
  worktree: WorktreePlace;
  /** The commit on which the first lane is merged. */
  base: string;
  /** In the order to merge. */
  lanes: readonly { laneId: string; head: string }[];
  runId: string;
  /** The time of the commits (ISO 8601, UTC). */
  at: string;
}

/** One commit a lane, and the tree of the last one. Without lanes: the tree of the base. */
export interface LaneChain {
  commits: string[];
  tree: string;
}

export interface LaneConflict {
  laneId: string;
  paths: string[];
  /** The lanes before it that changed these paths. Empty: it conflicts with the base. */
  with: string[];
  /** The commit before, the lane's head, and the newest commit that both contain. */
  ours: string;
  theirs: string;
  base: string;
}

/**
 * Merges each lane onto the commit before, without a worktree and without moving a branch. A lane that continues the commit
 * before is taken as it is. Stops at the first conflict. The same input makes the same commits.
 */
export function mergeLanes(input: MergeLanes): Promise<LaneChain | { conflict: LaneConflict }> {
  return withPrivateGit(input.worktree, createGit(), async (privateGit) => {
    const commits: string[] = [];
    for (const { laneId, head } of input.lanes) {
      const before = commits.at(-1) ?? input.base;
      const merged = await mergeOne(privateGit, before, head);
      if (typeof merged === 'string') commits.push(merged);
      else if (merged.conflicts.length > 0) {
        const paths = conflictedPaths(merged);
        const rivals = await lanesThatChanged(privateGit, input, commits, paths);
        const conflict = {
          laneId,
          paths: paths.map(textOf),
          with: rivals,
          ours: before,
          theirs: head,
          base: merged.base,
        };
        return { conflict };
      } else {
        const { runId, at } = input;
        const subject = `devflow: merge ${laneId}`;
        const parents = [before, head] as const;
        commits.push(await mergeCommit(privateGit, { tree: merged.tree, parents, subject, runId, laneId, at }));
      }
    }
    return { commits, tree: await treeOf(privateGit, commits.at(-1) ?? input.base) };
  });
}

/** The commit if there is nothing to merge. */
async function mergeOne(privateGit: PrivateGit, before: string, head: string): Promise<string | AutomaticMerge> {
  if (await isAncestor(privateGit, head, before)) return before;
  if (await isAncestor(privateGit, before, head)) return head;
  return automaticMerge(privateGit, before, head);
}

async function lanesThatChanged(
  privateGit: PrivateGit,
  { base, lanes }: MergeLanes,
  commits: readonly string[],
  paths: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const [nth, commit] of commits.entries()) {
    const changes = await readChanges(privateGit, commits[nth - 1] ?? base, commit);
    if (changes.some(({ path }) => paths.includes(path))) found.push(lanes[nth]?.laneId as string);
  }
  return found;
}
