import { realpath } from 'node:fs/promises';
import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { Applied } from '../../../schemas/events/run.ts';
import type { ParsedParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApplyPlan } from '../../../schemas/rpc/methods/runApply.ts';
import { runState } from '../../../schemas/states/run.ts';
import { uncommittedNote } from '../../../schemas/worktreeState.ts';
import { readValidated, summaryIn } from '../../artifacts/storedArtifact.ts';
import { deliveryNote } from '../../core/exchange/deliver.ts';
import { aboutCommits } from '../../core/phases/aboutWork.ts';
import { acceptedHeads } from '../../core/run/acceptedHeads.ts';
import { isAtWork, lastCommit } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { runTitle } from '../../core/run/title.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { applyWork, previewApply } from '../../repository/apply/apply.ts';
import type { ApplyWish } from '../../repository/apply/plan.ts';
import { createGit, OWN_BRANCHES } from '../../repository/git/git.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { countUncommitted } from '../../repository/worktree/worktreeStatus.ts';

type Request = Omit<ParsedParams<'run.apply'>, 'runId'>;

/** Brings the work of an ended run into the person's checkout and records that, or previews it. The state of the run stays. */
export async function applyRun(
  run: Run,
  { dryRun, agreed, repo, ...wanted }: Request,
  { engine, log }: ApplyParts,
): Promise<RpcResult<'run.apply'>> {
  assertEnded(run);
  assertMadeWork(run);
  const checkout = await checkoutOf(run, repo);
  refuseBesideAgent(checkout, engine.openRuns());
  const wish = await wishOf(run, wanted);
  if (dryRun) return previewApply(checkout, wish);
  const plan = await applyWork(checkout, wish, agreed);
  const applied = appliedBy(run, plan);
  if (applied === undefined) return plan;
  try {
    await engine.recordApplied(run.id, applied);
    return plan;
  } catch (err) {
    // The branch has the work, so the answer must not say that it failed. The next apply finds it there and records it.
    log.warn({ runId: run.id, err }, 'an apply was not recorded');
    return {
      ...plan,
      notes: [...plan.notes, 'devflow could not record this apply. To record it, run devflow run apply again.'],
    };
  }
}

interface ApplyParts {
  engine: Pick<RunEngine, 'openRuns' | 'recordApplied'>;
  log: Pick<Logger, 'warn'>;
}

/** The fact to record; undefined if no branch of the person has work of the run. */
function appliedBy({ baseCommit }: Run, { does, target, onto, head, commit }: ApplyPlan): Applied | undefined {
  if (target === null || head === baseCommit || target.startsWith(`${OWN_BRANCHES}/`)) return undefined;
  if (does !== 'nothing') return commit === null ? undefined : { target, commit, onto, head, way: does };
  return onto === null ? undefined : { target, commit: onto, onto, head, way: 'found' };
}

function assertEnded({ id, state }: Run): void {
  if (isTerminal(state)) return;
  throw new DevflowError('state_conflict', `Run ${id} has not ended: its state is ${runState({ state }).word}.`, {
    runId: id,
    recoveryHint: `Wait until it ends, or end it: devflow run abort ${id.slice(0, 8)}.`,
  });
}

/** Throws for a run whose work is in a checkout already, or somebody else's: a run that only reviews. */
function assertMadeWork(run: Run): void {
  if (run.here) {
    throw new DevflowError('state_conflict', `Run ${run.id} worked in your checkout, so its work is there already.`, {
      runId: run.id,
      recoveryHint: `Commit it there with your own git: ${run.worktreeRoot}.`,
    });
  }
  if (run.reviewHead === null || lastCommit(run) !== null) return;
  throw new DevflowError('state_conflict', `Run ${run.id} only reviews, so there is nothing to apply.`, {
    runId: run.id,
    recoveryHint: `See its findings: devflow run findings ${run.id.slice(0, 8)}.`,
  });
}

/** Throws while the agent of another run changes files of this checkout. */
function refuseBesideAgent(checkout: string, openRuns: readonly Run[]): void {
  const other = openRuns.find((run) => run.here && run.worktreeRoot === checkout && run.sessions.some(isAtWork));
  if (!other) return;
  throw new DevflowError('checkout_unready', `The agent of run ${other.id} works in ${checkout}.`, {
    recoveryHint: 'Wait until its turn has ended, or name another checkout: --repo <dir>.',
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
    throw new DevflowError('repo_invalid', `${repoPath} is the run's own worktree.`, {
      recoveryHint: 'Name your own checkout: --repo <dir>.',
    });
  }
  // If the run's checkout is gone, the branch shows whether this is the same repository.
  const own = await commonDirectory(run.repoPath).catch(() => undefined);
  if (own !== undefined && own !== (await commonOf(repoPath))) {
    throw new DevflowError('repo_invalid', `${repoPath} belongs to another repository than ${run.repoPath}.`, {
      recoveryHint: 'Name a worktree of the same repository (git worktree list).',
    });
  }
  return repoPath;
}

async function wishOf(
  run: Run,
  { way, branch, head, at }: Pick<Request, 'way' | 'branch' | 'head' | 'at'>,
): Promise<ApplyWish> {
  if (branch !== undefined && way !== 'branch')
    throw new DevflowError('usage', `A branch name needs the way "branch", not "${way}".`);
  if (head !== undefined && at !== undefined)
    throw new DevflowError('usage', 'head and at name two different commits.', { recoveryHint: 'Give only one.' });
  const undelivered = deliveryNote(run);
  const dirty = (await countUncommitted(worktreeOf(run))) ?? 0;
  return {
    runId: run.id,
    runState: run.state,
    work: worktreeOf(run).branch,
    baseBranch: run.baseBranch,
    baseCommit: run.baseCommit,
    lastCommit: lastCommit(run),
    accepted: acceptedHeads(run),
    acceptedHead: head,
    at,
    title: runTitle(run),
    summary: await summaryOf(run),
    notes: [...(dirty === 0 ? [] : [uncommittedNote(dirty)]), ...(undelivered === null ? [] : [undelivered])],
    way,
    newBranch: branch,
  };
}

/** The words of the agents whose work is in the commits. */
async function summaryOf(run: Run): Promise<string | null> {
  const read = await Promise.all(aboutCommits(run).map((about) => readValidated(about, run.worktreeRoot)));
  const summaries = new Set(read.flatMap((bytes) => summaryIn(bytes)?.trim() || []));
  return summaries.size === 0 ? null : [...summaries].join('\n\n');
}

/** git's common directory, by which devflow knows a repository. Throws `repo_invalid`. */
export function commonOf(repoPath: string): Promise<string> {
  return commonDirectory(repoPath).catch((cause) => {
    throw new DevflowError('repo_invalid', `The git repository at ${repoPath} is gone.`, {
      cause,
      recoveryHint: 'Put it back. To apply, name another checkout of it: --repo <dir>.',
    });
  });
}
