import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { someOf } from '../../../schemas/text/phrases.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { withMovable } from '../merge/advanceBranch.ts';
import { type AutomaticMerge, automaticMerge } from '../merge/automaticMerge.ts';
import { branchTip } from '../merge/branchTip.ts';
import { endMove, type Prepared, writeMove, writePrepared } from '../merge/journal.ts';
import { assertMovable, moveFiles } from '../merge/moveFiles.ts';
import { isAncestor } from '../privateGit/history.ts';
import { replace } from '../privateGit/keepFiles.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { copyIndex, readTree, syncIndex, withScratchIndex } from '../privateGit/privateIndex.ts';
import type { MergedTrees } from '../tree/mergeTrees.ts';
import { settleWorktree } from '../worktree/worktreeHead.ts';
import { readStatus } from '../worktree/worktreeStatus.ts';
import { endAttempt, openAttempt } from './attempt.ts';
import { type ConflictedFile, conflictedFiles } from './conflictedFiles.ts';

export interface PrepareConflict {
  /** The worktree of the lane. */
  worktree: WorktreePlace;
  laneId: string;
  /** The newest commit of the lane. */
  head: string;
  /** The commit to merge into it. */
  onto: string;
  /** Another attempt begins with fresh files. The work of the one before is kept below `refs/devflow/kept`. */
  attempt: number;
}

/**
 * The files in conflict; none if the merge is clean, and then nothing changes. `late`: the head of the lane, if its agent made
 * commits after its turn. They are in the conflict. Or another commit of the lane's branch.
 */
export type PreparedConflict = { files: ConflictedFile[]; late?: string } | { raced: string };

/**
 * Puts the automatic merge with its conflict markers into a lane's worktree, as uncommitted changes. HEAD stays. A second
 * call for the same attempt leaves the agent's work as it is. Takes back what the agent of an earlier attempt did to the
 * branch. Its commits after its turn, before any attempt, are work of the lane. Throws git_failed if there is other
 * uncommitted work.
 */
export function prepareConflict(input: PrepareConflict): Promise<PreparedConflict> {
  const { worktree, laneId, head, onto } = input;
  return withMovable(worktree, async (privateGit) => {
    const earlier = await openAttempt(privateGit, head);
    const tip = await branchTip(privateGit);
    if (!(await isAncestor(privateGit, head, tip))) return { raced: tip };
    const wanted: Prepared = { head: tip, onto, attempt: String(input.attempt) };
    const merged = await automaticMerge(privateGit, tip, onto);
    if (!isSame(earlier, wanted)) {
      if (earlier) await endAttempt(privateGit, earlier);
      await assertClean(privateGit);
      if (merged.conflicts.length === 0) return { files: [] };
      await layOut(privateGit, wanted, merged);
    }
    const names = [[tip, laneId], [onto, MAIN] as const] as const;
    const files = await conflictedFiles(privateGit, merged, names);
    return tip === head ? { files } : { files, late: tip };
  });
}

function isSame(one: Prepared | undefined, other: Prepared): boolean {
  if (!one || one.isEnding) return false;
  return one.head === other.head && one.onto === other.onto && one.attempt === other.attempt;
}

async function layOut(privateGit: PrivateGit, wanted: Prepared, merged: AutomaticMerge): Promise<void> {
  const way = { from: wanted.head, to: merged.tree };
  await assertMovable(privateGit, way);
  await writeMove(privateGit, { ...way, movesBranch: false });
  await moveFiles(privateGit, way);
  await syncIndex(privateGit, 'HEAD');
  await settleWorktree(privateGit);
  await giveConflictIndex(privateGit, merged);
  await writePrepared(privateGit, wanted);
  await endMove(privateGit);
}

async function assertClean(privateGit: PrivateGit): Promise<void> {
  const { files } = await readStatus(privateGit);
  if (files.length === 0) return;
  const message = `devflow cannot put a conflict into ${privateGit.path}: it has uncommitted work in ${someOf(files)}.`;
  throw new DevflowError('git_failed', message, {
    recoveryHint: 'Move these files out of the worktree, then approve to try again.',
    data: { path: privateGit.path, files },
  });
}

/**
 * Gives the agent's own git an index with the conflict, as `git merge` leaves it. `git status` and `git diff` then show
 * what is left to do. git refuses to commit, stash or switch.
 */
async function giveConflictIndex(privateGit: PrivateGit, { tree, stages }: MergedTrees): Promise<void> {
  await withScratchIndex(privateGit, async (index) => {
    await readTree(privateGit, index, tree);
    const paths = [...new Set(stages.map(({ path }) => path))];
    const removed = paths.map((path) => `0 ${'0'.repeat(tree.length)}\t${path}\0`);
    const added = stages.map(({ mode, id, stage, path }) => `${mode} ${id} ${stage}\t${path}\0`);
    const input = [...removed, ...added].join('');
    await privateGit.run(['update-index', '-z', '--index-info'], { index, input, bytes: true });
    await replace(join(privateGit.entry.directory, 'index'), (fresh) => copyIndex(index, fresh));
  });
}
