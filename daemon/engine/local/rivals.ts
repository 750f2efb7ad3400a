import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { runState } from '../../../schemas/states/run.ts';
import { type Here, isHere } from '../../core/run/place.ts';
import type { Run } from '../../core/run/state.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';
import type { ActiveRun, RunLog } from '../../store/runLog.ts';

/** Where a run starts. */
export interface Start {
  repoPath: string;
  repository: string;
  baseBranch: string;
}

/** The open runs on the base branch of a repository, regardless of the worktree in which they were started. */
export async function findRivals(
  { repository, baseBranch }: Start,
  options: { runLog: Pick<RunLog, 'listActive'>; openRuns: readonly Run[]; here: Here },
): Promise<ActiveRun[]> {
  const { runLog, openRuns, here } = options;
  const listed = await runLog.listActive(repository, baseBranch, here);
  const known = new Set(listed.map(({ runId }) => runId));
  const others = openRuns.filter(
    (run) => run.baseBranch === baseBranch && !known.has(run.id) && isHere(run, here) && isOfOlderVersion(run),
  );
  const same = await Promise.all(others.map(async (run) => (await repositoryOf(run)) === repository));
  return [
    ...listed,
    ...others.filter((_, nth) => same[nth]).map(({ id: runId, state, slot }) => ({ runId, state, slot })),
  ];
}

/** Older versions did not record the common directory of a linked worktree. */
function isOfOlderVersion({ repository, repoPath }: Run): boolean {
  return repository === join(repoPath, '.git');
}

function repositoryOf({ repository, repoPath }: Run): Promise<string> {
  return commonDirectory(repoPath).catch(() => repository);
}

/** The first free slot. Throws active_run_exists if runs are open and `parallel` is not set. */
export function chooseSlot(start: Start, rivals: readonly ActiveRun[], parallel: boolean): number {
  if (rivals.length > 0 && !parallel) throw conflict(start, rivals);
  const taken = new Set(rivals.map(({ slot }) => slot));
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

export function conflict({ repoPath, baseBranch }: Start, rivals: readonly ActiveRun[], cause?: unknown): DevflowError {
  const [first, ...others] = rivals;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const who = first ? `run ${first.runId} (${runState(first).word})${more}` : 'another run';
  const message = `There is already ${who} on branch ${baseBranch} of ${repoPath}.`;
  const data = first && { currentRunId: first.runId, currentState: first.state };
  return new DevflowError('active_run_exists', message, { data, cause });
}
