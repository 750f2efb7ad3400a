import { DevflowError } from '../../../schemas/errors.ts';
import { someOf } from '../../../schemas/text/phrases.ts';
import { textOf } from '../git/pathBytes.ts';
import { isAncestor } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex, readTree, withIndex } from '../privateGit/privateIndex.ts';
import { commitNamed } from '../privateGit/workCommit.ts';
import { obstacles } from '../tree/obstacles.ts';
import { putBack } from '../tree/putBack.ts';
import { readChanges, SUBMODULE } from '../tree/treeChanges.ts';
import { filesOf } from '../tree/treeFiles.ts';
import { refillSubmodules } from '../worktree/refillSubmodules.ts';
import { settleWorktree } from '../worktree/worktreeHead.ts';
import { readStatus } from '../worktree/worktreeStatus.ts';
import { endMove, endPrepared, type Move, readMove } from './journal.ts';

type Way = Pick<Move, 'from' | 'to'>;

/** Throws git_failed if the move would overwrite uncommitted files, ignored ones too, or changes in a submodule. */
export async function assertMovable(privateGit: PrivateGit, { from, to }: Way): Promise<void> {
  const changes = await readChanges(privateGit, from, to);
  const moving = new Set(changes.map(({ path }) => path));
  const { paths, nested } = await readStatus(privateGit);
  const isSubmodule = (name: string) =>
    changes.some(({ path, oldMode }) => oldMode === SUBMODULE && `${textOf(path)}/` === name);
  const lost = new Set([
    ...paths.filter((path) => moving.has(path)).map(textOf),
    ...nested.filter(isSubmodule),
    ...(await obstacles(privateGit.path, changes)),
  ]);
  if (lost.size > 0) throw inTheWay(privateGit, [...lost]);
}

/**
 * Brings the files of a worktree, and then its index, from one commit to another. Git checks all files before it writes
 * one. Files that the move does not touch stay.
 */
export async function moveFiles(privateGit: PrivateGit, way: Way): Promise<void> {
  await withIndex(privateGit, async (index) => {
    await readTree(privateGit, index, way.from);
    await writeFiles(privateGit, way, index);
  });
}

async function writeFiles(privateGit: PrivateGit, { from, to }: Way, index: string): Promise<void> {
  await privateGit.run(['read-tree', '-m', '-u', from, to], { index, timeoutMs: 600_000 });
}

/** Puts back what a killed `moveFiles` wrote. Then does the move, if `again`. */
async function undoMove(privateGit: PrivateGit, way: Way, again: boolean): Promise<void> {
  await withIndex(privateGit, async (index) => {
    await readTree(privateGit, index, way.from);
    const changedSince = await putBack(filesOf(privateGit), way, index);
    if (changedSince.length > 0) throw inTheWay(privateGit, changedSince);
    if (again) await writeFiles(privateGit, way, index);
  });
}

/** For the agent's own git, after the branch moved. */
export async function settleMoved(privateGit: PrivateGit): Promise<void> {
  await giveIndex(privateGit);
  await settleWorktree(privateGit);
  await refillSubmodules(privateGit);
}

/** Finishes a move that was interrupted after the branch moved. Otherwise it puts the files back. */
export async function finishInterruptedMove(privateGit: PrivateGit): Promise<void> {
  const move = await readMove(privateGit);
  if (!move) return;
  const again = move.movesBranch && (await isMoved(privateGit, move.to));
  // Before the branch moved, no file was touched.
  if (again || !move.movesBranch) await undoMove(privateGit, move, again);
  if (again) await settleMoved(privateGit);
  if (!move.movesBranch) await endPrepared(privateGit);
  await endMove(privateGit);
}

async function isMoved(privateGit: PrivateGit, to: string): Promise<boolean> {
  const tip = await commitNamed(privateGit, `refs/heads/${privateGit.branch}`);
  return tip !== undefined && isAncestor(privateGit, to, tip);
}

function inTheWay({ path }: PrivateGit, files: readonly string[]): DevflowError {
  const message = `devflow cannot update the files of ${path}: uncommitted changes would be lost in ${someOf(files)}.`;
  const recoveryHint = 'Move these files out of the worktree, then approve to try again.';
  return new DevflowError('git_failed', message, { recoveryHint, data: { path, files } });
}
