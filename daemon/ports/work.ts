import { realpath } from 'node:fs/promises';
import { isTerminal } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { runState } from '../../schemas/states/run.ts';
import { uncommittedNote } from '../../schemas/uncommittedNote.ts';
import { lastCommit } from '../engine/core/query.ts';
import type { Run } from '../engine/core/state.ts';
import type { LocalEngine } from '../engine/local/engine.ts';
import { applyWork, previewApply } from '../harness/apply/apply.ts';
import type { ApplyWish } from '../harness/apply/plan.ts';
import { createGit } from '../harness/git/git.ts';
import { totals } from '../harness/git/numstat.ts';
import { commonDirectory } from '../harness/git/repositoryFiles.ts';
import { lanePlace } from '../harness/lane/lane.ts';
import { withAnyLane } from '../harness/lane/lentLane.ts';
import { findWork } from '../harness/lane/workCommit.ts';
import { diffSince } from '../harness/worktree/diff.ts';
import { countDirty } from '../harness/worktree/leftBehind.ts';
import type { Ports } from '../rpc/ports.ts';

/** Together the patch and the names stay below the largest message, also where each character takes an escape. */
const MOST_PATCH = 512 * 1024;
const MOST_NAMES = 512 * 1024;

type Wish = Parameters<Ports['work']['apply']>[1];

/** What a run made, for the person: to look at, and to take over. It moves no run and writes no event. */
export function createWork(engine: Pick<LocalEngine, 'readRun'>): Ports['work'] {
  const read = async (runId: string): Promise<Run> => {
    const run = await engine.readRun(runId);
    if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
    return run;
  };
  return {
    async diff(runId) {
      const run = await read(runId);
      const lane = lanePlace(run);
      const base = run.baseCommit;
      await commonOf(run.repoPath);
      const { head, hasBranch } = await withAnyLane(lane, createGit({ runId }), (open) =>
        findWork(open, lastCommit(run) ?? base),
      );
      const { files, patch, truncated, stat } = await diffSince({ lane, from: base, to: head, cap: MOST_PATCH });
      const counts = { totals: totals(files), uncommittedFiles: (await countDirty(lane)) ?? null };
      return {
        runId,
        branch: hasBranch ? lane.branch : null,
        base,
        head,
        ...counts,
        files: firstOf(files),
        stat,
        patch,
        truncated,
      };
    },
    async apply(runId, { dryRun, agreed, repo, way, branch }) {
      const run = await read(runId);
      assertEnded(run);
      const checkout = await checkoutOf(run, repo);
      const wish = await wishOf(run, { way, branch });
      return dryRun ? previewApply(checkout, wish) : applyWork(checkout, wish, agreed);
    },
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

function assertEnded({ id, state }: Run): void {
  if (isTerminal(state)) return;
  throw new DevflowError('state_conflict', `Run ${id} has not ended: its state is ${runState({ state }).word}.`, {
    runId: id,
    recoveryHint: `Wait until it ends, or end it: devflow run abort ${id.slice(0, 8)}.`,
  });
}

/** The checkout of the run's repository, or another worktree of it that a person names. */
async function checkoutOf(run: Run, repo: string | undefined): Promise<string> {
  if (repo === undefined) {
    await commonOf(run.repoPath);
    return run.repoPath;
  }
  const { repoPath } = await createGit({ runId: run.id }).inspectRepository(repo);
  const worktree = await realpath(run.worktreeRoot).catch(() => run.worktreeRoot);
  if (repoPath === worktree) {
    throw new DevflowError('repo_invalid', `${repoPath} is the worktree of the run itself.`, {
      recoveryHint: 'Name your own checkout: --repo <dir>.',
    });
  }
  // Where the run's own checkout is gone, the branch tells whether it is the same repository.
  const own = await commonDirectory(run.repoPath).catch(() => undefined);
  if (own !== undefined && own !== (await commonOf(repoPath))) {
    throw new DevflowError('repo_invalid', `${repoPath} is another repository than ${run.repoPath}.`, {
      recoveryHint: 'Name a worktree of the same repository (git worktree list).',
    });
  }
  return repoPath;
}

function commonOf(repoPath: string): Promise<string> {
  return commonDirectory(repoPath).catch((cause) => {
    throw new DevflowError('repo_invalid', `There is no git repository at ${repoPath} any more.`, {
      cause,
      recoveryHint: 'Put it back. To apply, you may name another checkout of it: --repo <dir>.',
    });
  });
}

async function wishOf(run: Run, { way, branch }: Pick<Wish, 'way' | 'branch'>): Promise<ApplyWish> {
  if (branch !== undefined && way !== 'branch')
    throw new DevflowError('usage', `A name of a branch goes with the way branch, not with ${way}.`);
  const dirty = (await countDirty(lanePlace(run))) ?? 0;
  return {
    runId: run.id,
    runState: run.state,
    work: lanePlace(run).branch,
    baseBranch: run.baseBranch,
    baseCommit: run.baseCommit,
    lastCommit: lastCommit(run),
    requirements: run.requirementsMd,
    notes: dirty === 0 ? [] : [uncommittedNote(dirty)],
    way,
    newBranch: branch,
  };
}
