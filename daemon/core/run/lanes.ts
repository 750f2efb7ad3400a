import { isLaneEnded, isTerminal } from '../../../schemas/enums.ts';
import { beforeDirInWorktree, diffPathInWorktree } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { stateRulesOf } from '../../kinds/states.ts';
import { quotesRemovedLines } from './behaviour.ts';
import { lastCommit } from './query.ts';
import type { Lane, Run, Session } from './state.ts';

/** A lane as it begins. */
export function newLane(facts: Pick<Lane, 'id' | 'phaseId' | 'roleId' | 'path' | 'branch' | 'base'>): Lane {
  return { ...facts, head: null, state: 'open', endedBecause: null, reopens: [], ejections: [], setup: null };
}

/** A lane of the run, by id. */
export function laneOf(run: Run, laneId: string): Lane {
  const lane = run.lanes.find(({ id }) => id === laneId);
  if (!lane) throw new TypeError(`run ${run.id} has no lane ${laneId}`);
  return lane;
}

/** The sessions whose agents should be alive. */
export function openSessionsOf(run: Run): Session[] {
  return run.sessions.filter((session) => !isSessionEnded(run, session));
}

/** A session ends with its run or its lane. */
export function isSessionEnded(run: Run, session: Pick<Session, 'laneId'>): boolean {
  return isTerminal(run.state) || hasEndedLane(run, session);
}

/** True if the session ended with its lane, before its run. */
export function hasEndedLane(run: Run, { laneId }: Pick<Session, 'laneId'>): boolean {
  return isLaneEnded(laneOf(run, laneId).state);
}

/** The worktree of the lane that has a file, by its path. */
export function worktreeWith(run: Pick<Run, 'lanes' | 'worktreeRoot'>, path: string): string {
  return run.lanes.find((lane) => path.startsWith(`${lane.path}/`))?.path ?? run.worktreeRoot;
}

/** The newest commit of a lane: its own, or what it opened on. */
export function headOf({ head, base }: Pick<Lane, 'head' | 'base'>): string {
  return head ?? base;
}

/** Where a lane is, and where to restore it from. */
export interface LanePlace {
  repoPath: string;
  path: string;
  branch: string;
  /** The commit from which its branch starts, if the branch is gone. */
  startCommit: string;
  /** It is a person's checkout. devflow writes nothing there, and `startCommit` is the parent of its snapshots. */
  isCheckout?: true;
  /** It has no branch: its worktree has exactly the files of `startCommit`, and nothing in it is kept. */
  isDetached?: true;
  /** The content of HEAD where there is no branch: `startCommit`, or the newest snapshot. */
  head?: string;
  /** The files with what differs between a commit and `startCommit`. Only a detached worktree has some. */
  diffs?: ReaderDiff[];
}

/** The change since a commit, as a reader finds it in its worktree. */
export interface ReaderDiff {
  from: string;
  /** The file of the diff. */
  path: string;
  /** The directory with the old text of files that lost lines. Absent in older runs. */
  before?: string;
}

/** True if the worktree of a lane has no branch. Reviewers read it, and nothing in it is kept. */
export function isDetached({ branch, isCheckout }: Pick<Lane, 'branch' | 'isCheckout'>): boolean {
  return branch === '' && !isCheckout;
}

/** True if devflow made a branch for the lane. */
export function hasBranch({ branch }: Pick<Lane, 'branch'>): boolean {
  return branch !== '';
}

/** True if the run works in the person's checkout. */
export function isInCheckout(run: Run): boolean {
  return laneOf(run, MAIN).isCheckout ?? false;
}

export function placeOf(run: Run, laneId: string): LanePlace {
  const lane = laneOf(run, laneId);
  const newest = laneId === MAIN ? lastCommit(run) : null;
  const place = { repoPath: run.repoPath, path: lane.path, branch: lane.branch };
  const startCommit = newest ?? headOf(lane);
  if (lane.isCheckout) return { ...place, startCommit: lane.base, head: startCommit, isCheckout: true };
  if (!isDetached(lane)) return { ...place, startCommit };
  return { ...place, startCommit, head: startCommit, isDetached: true, diffs: diffsIn(run, lane) };
}

function diffsIn(run: Run, { path, phaseId }: Lane): LanePlace['diffs'] {
  const phase = run.phases.find(({ id }) => id === phaseId);
  const look = phase && stateRulesOf(phase).look?.(phase);
  return look ? readerDiffs(path, phase.key, look, { quotesRemoved: quotesRemovedLines(run) }) : [];
}

/** The diffs that a reader finds in its worktree: of the change, and of the fix since the commit that was reviewed before. */
export function readerDiffs(
  worktree: string,
  phaseKey: string,
  { base, from }: { base: string; from: string | null },
  options: { quotesRemoved: boolean } = { quotesRemoved: false },
): ReaderDiff[] {
  const diff = (since: string, what: 'change' | 'fix'): ReaderDiff => {
    const before = options.quotesRemoved ? { before: beforeDirInWorktree(worktree, phaseKey, what) } : {};
    return { from: since, path: diffPathInWorktree(worktree, phaseKey, what), ...before };
  };
  return from === null ? [diff(base, 'change')] : [diff(base, 'change'), diff(from, 'fix')];
}

/** The time of all merge commits of a run. It is fixed, so that a merge that is made again is the same commit. */
export function mergeTime({ startedAt, createdAt }: Run): string {
  return startedAt ?? createdAt;
}
