import type { Logger } from 'pino';
import { integrationPath } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { removeDetachedWorktree } from '../../harness/worktree/detachedWorktree.ts';
import { isDetached, laneOf } from '../core/run/lanes.ts';
import type { Run } from '../core/run/state.ts';

/**
 * Removes the worktrees of an ended run that have no branch, because they contain no work. One that cannot be removed
 * stays until `devflow cleanup`.
 */
export async function removeReaders(run: Run, log: Pick<Logger, 'warn'>): Promise<void> {
  const { id: runId, repoPath, workspaceRoot } = run;
  const paths = run.lanes.filter(isDetached).map(({ path }) => path);
  if (isDetached(laneOf(run, MAIN))) paths.push(integrationPath(workspaceRoot, runId));
  for (const path of paths) {
    await removeDetachedWorktree({ repoPath, path }).catch((err: unknown) => {
      log.warn({ err, runId, path }, 'the worktree of a review could not be removed; devflow cleanup removes it');
    });
  }
}
