import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { evaluationPlace, integrationPath, runDir, sessionDir } from '../../../schemas/files/paths.ts';
import type { ParsedParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { runState } from '../../../schemas/states/run.ts';
import { isMeasured } from '../../core/objective/measuring.ts';
import { isDetached } from '../../core/run/lanes.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import { tearDownOwnPlace } from '../../engine/performers/tearDownPlace.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { type GitChange, recordingGit } from '../../repository/git/gitRecord.ts';
import { removeSandboxes } from '../../sandbox/removeSandboxes.ts';
import type { GitCommands } from '../../store/gitCommands.ts';
import { type Cleaned, createLaneCleanup, keptFor, removeDetached } from './laneCleanup.ts';

type Result = RpcResult<'run.cleanup'>;

/**
 * Removes the worktrees of an ended run, or that of one lane, and keeps their branches. Removing uncommitted work needs a
 * decision at a gate for each lane, and devflow keeps a copy of it.
 */
export function createCleanup(parts: {
  engine: RunEngine;
  gitCommands: GitCommands;
  filters: string[];
  log: Pick<Logger, 'warn'>;
}): (run: Run, options: Omit<ParsedParams<'run.cleanup'>, 'runId'>) => Promise<Result> {
  const { engine, gitCommands, filters, log } = parts;
  const cleanLane = createLaneCleanup({ engine, filters, log });
  const recording = createRecording({ gitCommands, log });

  return async (run, { lane, force }) => {
    const runId = run.id;
    if (!isTerminal(run.state)) {
      const message = `Run ${runId} still needs its worktrees: its state is ${runState(run).word}.`;
      throw new DevflowError('state_conflict', message, { runId });
    }
    // A person's checkout is not devflow's to remove, and the refs of its snapshots keep work.
    const lanes = (lane === undefined ? run.lanes : [laneNamed(run, lane)]).filter(({ isCheckout }) => !isCheckout);
    const cleaned: Cleaned[] = [];
    for (const each of lanes) {
      const cleaning = recording(runId, each.id, () =>
        isDetached(each) ? removeDetached(run, each.path) : cleanLane(run, each, force),
      );
      // One lane that cannot be removed must not keep the others.
      cleaned.push(await (lanes.length === 1 ? cleaning : cleaning.catch((error) => keptFor(each.path, error))));
    }
    const clearOwn = async (name: 'checks' | 'evaluation', path: string) => {
      await tearDownOwnPlace(run, { name, path }, log);
      cleaned.push(await removeDetached(run, path));
    };
    if (lanes.length > 1) await clearOwn('checks', integrationPath(run.workspaceRoot, runId));
    if (lane === undefined && isMeasured(run))
      await clearOwn('evaluation', evaluationPlace(run.workspaceRoot, runId).worktree);
    if (lane === undefined) await clearSandboxes(run, log);
    return resultOf(runId, cleaned);
  };
}

/** Does work for a lane, and records what its git changed. */
type Recording = <T>(runId: string, laneId: string, work: () => Promise<T>) => Promise<T>;

export function createRecording({
  gitCommands,
  log,
}: {
  gitCommands: GitCommands;
  log: Pick<Logger, 'warn'>;
}): Recording {
  return (runId, laneId, work) => {
    const record = (changes: GitChange[]) =>
      gitCommands
        .add(changes.map((change) => ({ runId, phaseId: null, laneId, ...change })))
        .catch((err: unknown) => log.warn({ runId, err }, 'git calls were not recorded'));
    return recordingGit(record, work);
  };
}

/** The directories of its sandboxes. A session that is taken up again begins with empty ones. */
async function clearSandboxes({ id, workspaceRoot }: Run, log: Pick<Logger, 'warn'>): Promise<void> {
  const places = { runDir: runDir(workspaceRoot, id), sessionsDir: sessionDir(workspaceRoot, id) };
  await removeSandboxes(places).catch((err) => log.warn({ err, runId: id }, 'files of sandboxes were not removed'));
}

function laneNamed(run: Run, name: string): Lane {
  const lane = run.lanes.find(({ id }) => id === name);
  if (lane) return lane;
  const there = run.lanes.map(({ id }) => id).join(', ');
  throw new DevflowError('not_found', `Run ${run.id} has no lane ${name}; it has ${there}.`, { runId: run.id });
}

function resultOf(runId: string, cleaned: readonly Cleaned[]): Result {
  const kept = cleaned.flatMap((each) => each.kept ?? []);
  const keptRefs = cleaned.flatMap((each) => each.keptRefs ?? []);
  return {
    runId,
    removed: cleaned.flatMap((each) => each.removed ?? []),
    gone: cleaned.flatMap((each) => each.gone ?? []),
    kept,
    approvalId: kept.find(({ approvalId }) => approvalId !== null)?.approvalId ?? null,
    ...(keptRefs.length > 0 && { keptRefs }),
  };
}
