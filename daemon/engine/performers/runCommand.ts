import { wasStarted } from '../../harness/command/commandFiles.ts';
import { howEnded } from '../../harness/command/howEnded.ts';
import { startOrAdopt } from '../../harness/command/runner.ts';
import { readWorktree } from '../../harness/worktree/readWorktree.ts';
import { registerWorktree } from '../../harness/worktree/restoreWorktree.ts';
import { isSameWorktree } from '../core/run/worktreeState.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';
import { tailOf } from './tailOf.ts';

/**
 * Runs a command of devflow itself in the worktree. If it outlived an earlier daemon, adopts it. An abort of the run kills
 * it; a shutdown leaves it for the next daemon. A command that the policy blocks has failed.
 */
export const runCommand: Performer<'runCommand'> = async (effect, ports, signal) => {
  const { faults } = ports;
  const { key, commandId, argv, cwd, lane, dir, startedAt, timeoutMs, from, env } = effect;
  await keepWorktree(effect.runId, lane, ports);
  faults.at('runCommand.before_start');
  // A command that was already started may have changed files itself.
  if (from && !wasStarted(dir, commandId)) {
    const { repoPath, branch, approved, except } = from;
    const place = { repoPath, path: cwd, branch };
    await registerWorktree({ ...place, startCommit: approved.head, filters: ports.config.git.filters });
    const worktree = await readWorktree({ ...place, lastKnown: approved.head, except });
    if (!isSameWorktree(approved, worktree)) return { type: 'worktreeMoved', key, worktree };
  }
  const fresh = env?.DEVFLOW_METRICS;
  const end = await startOrAdopt({
    commandId,
    argv,
    cwd,
    dir,
    startedAt: new Date(startedAt),
    timeoutMs,
    signal,
    ...(env ? { env } : {}),
    ...(fresh ? { fresh } : {}),
  });
  if (end.aborted) return undefined;
  faults.at('runCommand.after_end');
  const reason = howEnded(end, timeoutMs);
  const { exitCode } = end;
  const tail = effect.laneId === undefined ? {} : tailOf(exitCode, end);
  return { type: 'commandEnded', commandId, exitCode, ok: exitCode === 0, reason, ...tail };
};
