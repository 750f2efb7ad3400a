import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { lastCommit } from '../../engine/core/query.ts';
import type { Run } from '../../engine/core/state.ts';
import { createGit } from '../../harness/git/git.ts';
import { totals } from '../../harness/git/numstat.ts';
import { lanePlace } from '../../harness/lane/lane.ts';
import { withAnyLane } from '../../harness/lane/lentLane.ts';
import { findWork } from '../../harness/lane/workCommit.ts';
import { diffSince } from '../../harness/worktree/diff.ts';
import { countDirty } from '../../harness/worktree/leftBehind.ts';
import { commonOf } from './commonOf.ts';

/** Patch and names together stay below the largest message, even if every character is escaped. */
const MOST_PATCH = 512 * 1024;
const MOST_NAMES = 512 * 1024;

/** What a run changed. It moves no run and writes no event. */
export async function diffOfRun(run: Run): Promise<RpcResult<'run.diff'>> {
  const lane = lanePlace(run);
  const base = run.baseCommit;
  await commonOf(run.repoPath);
  const { head, hasBranch } = await withAnyLane(lane, createGit({ runId: run.id }), (open) =>
    findWork(open, lastCommit(run) ?? base),
  );
  const { files, patch, truncated, stat } = await diffSince({ lane, from: base, to: head, cap: MOST_PATCH });
  const uncommittedFiles = (await countDirty(lane)) ?? null;
  return {
    runId: run.id,
    branch: hasBranch ? lane.branch : null,
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
