import { DevflowError } from '../../../schemas/errors.ts';
import { isDirectory } from '../../harness/git/repositoryFiles.ts';
import { worktreeOf } from '../../harness/git/worktreePlace.ts';
import { restoreWorktree } from '../../harness/worktree/restoreWorktree.ts';
import { lastCommit } from '../core/run/query.ts';
import type { PerformerPorts } from './performer.ts';

/** Restores a removed worktree from its branch before devflow uses it. True if it restored one. */
export async function keepWorktree(
  runId: string,
  cwd: string,
  { runLog, config, log }: Pick<PerformerPorts, 'runLog' | 'config' | 'log'>,
): Promise<boolean> {
  if (await isDirectory(cwd)) return false;
  const run = await runLog.readRun(runId);
  if (!run || run.worktreeRoot !== cwd) return false;
  const startCommit = lastCommit(run) ?? run.baseCommit;
  const restored = await restoreWorktree({ ...worktreeOf(run), startCommit, filters: config.git.filters });
  if (restored) log.warn({ runId, worktree: cwd }, 'restored the missing worktree from its branch');
  return restored;
}

/** The agent still runs in the removed directory, so it must restart in the new one. */
export function worktreeRestored(cwd: string): DevflowError {
  return new DevflowError(
    'git_failed',
    `The worktree ${cwd} was gone. devflow restored it from its branch; uncommitted changes are lost.`,
  );
}
