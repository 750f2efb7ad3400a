import { isTerminal } from '../../../schemas/enums.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { acceptedHeads } from '../../core/run/acceptedHeads.ts';
import type { Run } from '../../core/run/state.ts';
import { headOfRun } from '../../kinds/review/reviewOf.ts';
import { readMoved } from '../../repository/apply/moved.ts';
import { createGit } from '../../repository/git/git.ts';
import { totals } from '../../repository/git/numstat.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { withPrivateGit } from '../../repository/privateGit/temporaryGit.ts';
import { findWork } from '../../repository/privateGit/workCommit.ts';
import { diffBetween } from '../../repository/worktree/diff.ts';
import { countUncommitted } from '../../repository/worktree/worktreeStatus.ts';
import { commonOf } from './apply.ts';

/** Patch and names together stay below the largest message, even if every character is escaped. */
const MOST_PATCH = 512 * 1024;
const MOST_NAMES = 512 * 1024;

/** The changes of a run. Moves no run and writes no event. */
export async function diffOfRun(run: Run): Promise<RpcResult<'run.diff'>> {
  const worktree = worktreeOf(run);
  const base = run.baseCommit;
  await commonOf(run.repoPath);
  const { head, hasBranch, moved, diff } = await withPrivateGit(
    worktree,
    createGit({ runId: run.id }),
    async (privateGit) => {
      const found = await findWork(privateGit, headOfRun(run));
      const moved = isTerminal(run.state) ? await readMoved(privateGit, acceptedHeads(run), found) : null;
      return { ...found, moved, diff: await diffBetween(privateGit, { from: base, to: found.head, cap: MOST_PATCH }) };
    },
  );
  const { files, patch, truncated, stat } = diff;
  const uncommittedFiles = (await countUncommitted(worktree)) ?? null;
  return {
    runId: run.id,
    branch: hasBranch ? worktree.branch : null,
    moved,
    base,
    head,
    totals: totals(files),
    uncommittedFiles,
    files: firstOf(files),
    stat,
    patch,
    truncated,
  };
}

/** As many files as fit. */
function firstOf<T extends { path: string }>(files: readonly T[]): T[] {
  let size = 0;
  const past = files.findIndex(({ path }) => {
    size += path.length + 60;
    return size > MOST_NAMES;
  });
  return past < 0 ? [...files] : files.slice(0, past);
}
