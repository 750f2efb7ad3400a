import { lstat } from 'node:fs/promises';
import { DevflowError } from '../../../schemas/errors.ts';
import { lanePlace } from '../../harness/lane.ts';
import { restoreWorktree } from '../../harness/worktree.ts';
import { lastCommit } from '../core/query.ts';
import type { PerformerPorts } from './performer.ts';

/** Before a worktree is used: one that somebody removed is put back from its branch. True when that was needed. */
export async function keepWorktree(
  runId: string,
  cwd: string,
  { runLog, config, log }: Pick<PerformerPorts, 'runLog' | 'config' | 'log'>,
): Promise<boolean> {
  if ((await lstat(cwd).catch(() => undefined))?.isDirectory()) return false;
  const run = await runLog.readRun(runId);
  if (!run || run.worktreeRoot !== cwd) return false;
  const startCommit = lastCommit(run) ?? run.baseCommit;
  const restored = await restoreWorktree({ ...lanePlace(run), startCommit, filters: config.git.filters });
  if (restored) log.warn({ runId, worktree: cwd }, 'the worktree was gone and is back from its branch');
  return restored;
}

/** For an agent whose program stands in a directory that is no more: it must start again in the new one. */
export function worktreeRestored(cwd: string): DevflowError {
  return new DevflowError(
    'git_failed',
    `The worktree ${cwd} was gone. devflow put it back from its branch; what was not committed is lost.`,
  );
}
