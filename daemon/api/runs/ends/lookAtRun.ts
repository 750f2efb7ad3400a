import { DevflowError } from '../../../../schemas/errors.ts';
import { evaluationPlace, integrationPath } from '../../../../schemas/files/paths.ts';
import type { EndOfRun, Leftover } from '../../../../schemas/rpc/views/ends.ts';
import { isDetached, placeOf } from '../../../core/run/lanes.ts';
import type { Lane, Run } from '../../../core/run/state.ts';
import { findHolder, type OwnRefs } from '../../../repository/ends/ownBranches.ts';
import { type Reason, whyBranchStays, whyNotHeld, whyWorktreeStays } from '../../../repository/ends/whyKept.ts';
import { exists } from '../../../repository/git/repositoryFiles.ts';
import { removingPlace } from '../../../repository/worktree/halfMade.ts';

/** What a person asks to clean up. */
export interface EndsWish {
  applied: boolean;
  branches: boolean;
  /** The commits of branches that the person agreed to; absent: any. */
  heads?: ReadonlyMap<string, string>;
  /** The open runs by the branch that they started from. */
  bases: ReadonlyMap<string, string>;
}

/** Something that goes, or stays for a reason. */
export interface Finding {
  /** The lane; null for a worktree of devflow's own checks. */
  laneId: string | null;
  item: Leftover;
  stays: Reason | undefined;
}

/** What was found of a run, and the refs to commits of its worktrees that no branch has. */
export interface Looked {
  findings: readonly Finding[];
  keptRefs: readonly string[];
}

/** What is left of an ended run, and what of it may go. Changes nothing. */
export async function lookAtRun(run: Run, refs: OwnRefs, wish: EndsWish): Promise<Finding[]> {
  const all = wish.applied ? await whyNotApplied(run, refs) : undefined;
  const found: Finding[] = [];
  for (const lane of run.lanes) found.push(...(await lookAtLane(run, lane, refs, { ...wish, all })));
  for (const path of ownPlaces(run)) {
    if (await isThere(path, refs)) found.push({ laneId: null, item: worktree(path), stays: all });
  }
  return found;
}

async function lookAtLane(
  run: Run,
  lane: Lane,
  refs: OwnRefs,
  { all, branches, heads, bases }: EndsWish & { all: Reason | undefined },
): Promise<Finding[]> {
  const { id: laneId, path, branch } = lane;
  if (lane.isCheckout) return [];
  const hasWorktree = await isThere(path, refs);
  if (isDetached(lane)) return hasWorktree ? [{ laneId, item: worktree(path), stays: all }] : [];
  const head = refs.branches.get(branch) ?? null;
  const moved = heads && head !== null && heads.get(branch) !== head ? MOVED : undefined;
  const found: Finding[] = [];
  if (hasWorktree) {
    const why = all ?? moved ?? ((await exists(path)) ? await whyLaneStays(run, lane, refs) : undefined);
    found.push({ laneId, item: { ...worktree(path), branch, head }, stays: why });
  }
  if (branches && head !== null) {
    const item: Leftover = { what: 'branch', path: null, branch, head, bytes: null };
    const kept = found.some(({ stays }) => stays) ? WORKTREE_STAYS : baseOf(bases.get(branch));
    const why = () => whyBranchStays(refs, { branch, head, runId: run.id, ownPlace: path });
    found.push({ laneId, item, stays: all ?? moved ?? (await why()) ?? kept });
  }
  return found;
}

const MOVED: Reason = { why: 'moved', reason: 'it was not at this commit in the plan' };
const WORKTREE_STAYS: Reason = { why: 'worktree_stays', reason: 'its worktree stays' };

/** The diff of such a run and its apply name this branch. */
function baseOf(runId: string | undefined): Reason | undefined {
  return runId === undefined ? undefined : { why: 'base_of_run', reason: `the open run ${runId} started from it` };
}

async function whyLaneStays(run: Run, lane: Lane, refs: OwnRefs): Promise<Reason | undefined> {
  if (!refs.worktrees.has(lane.path)) {
    return { why: 'failed', reason: `git has lost its entry of it: devflow cleanup ${run.id} restores that` };
  }
  return whyWorktreeStays(placeOf(run, lane.id), refs).catch(failed);
}

/** The reason that keeps the whole run, if work of it is on no branch of the person. */
async function whyNotApplied({ id: runId, lanes, applied }: Run, refs: OwnRefs): Promise<Reason | undefined> {
  for (const { branch } of lanes) {
    const head = refs.branches.get(branch);
    const why = head === undefined ? undefined : await whyNotHeld(refs, { head, runId });
    if (why && !(await hasApplied(refs, applied, head))) return why;
  }
  return undefined;
}

/** A squash has other commits than the run. git says whether a branch of the person still has the one that devflow made. */
async function hasApplied({ common }: OwnRefs, applied: Run['applied'], head: string | undefined): Promise<boolean> {
  for (const { head: work, commit } of applied) {
    // git fails if the commit is gone.
    const isHeld = work === head && (await findHolder(common, commit).catch(() => undefined)) !== undefined;
    if (isHeld) return true;
  }
  return false;
}

/** A worktree is there until git's entry and the files are gone: a kill may leave one of them. */
async function isThere(path: string, { worktrees }: OwnRefs): Promise<boolean> {
  return worktrees.has(path) || (await exists(path)) || (await exists(removingPlace(path)));
}

/** The worktrees of devflow's own checks. Nobody's work is there. */
function ownPlaces({ id, workspaceRoot }: Run): string[] {
  return [integrationPath(workspaceRoot, id), evaluationPlace(workspaceRoot, id).worktree];
}

export function worktree(path: string): Leftover {
  return { what: 'worktree', path, branch: null, head: null, bytes: null };
}

/** A reason that devflow or git gave. */
export function failed(error: unknown): Reason {
  if (error instanceof DevflowError) return { why: 'failed', reason: error.message };
  throw error;
}

export function endOf(
  { runId, title, repoPath }: Pick<EndOfRun, 'runId' | 'title' | 'repoPath'>,
  { findings, keptRefs }: Looked,
): EndOfRun {
  const goes = findings.flatMap(({ item, stays }) => (stays ? [] : item));
  const kept = findings.flatMap(({ item, stays }) => (stays ? { ...item, ...stays } : []));
  return { runId, title, repoPath, goes, kept, ...(keptRefs.length > 0 ? { keptRefs: [...keptRefs] } : {}) };
}
