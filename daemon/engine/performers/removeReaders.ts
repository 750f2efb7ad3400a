import type { Logger } from 'pino';
import { evaluationPlace, integrationPath } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { isMeasured } from '../../core/objective/measuring.ts';
import { isDetached, laneOf } from '../../core/run/lanes.ts';
import type { Run } from '../../core/run/state.ts';
import { removeEvaluationPlace } from '../../measure/objective/evaluationPlace.ts';
import { removeDetachedWorktree } from '../../repository/worktree/detachedWorktree.ts';
import { tearDownOwnPlace } from './tearDownPlace.ts';

/**
 * Removes the home of an ended run's measurements, and its worktrees without a branch: they contain no work. A worktree that
 * cannot be removed stays until `devflow cleanup`.
 */
export async function removeReaders(run: Run, log: Pick<Logger, 'warn'>): Promise<void> {
  const { id: runId, repoPath, workspaceRoot } = run;
  const paths = run.lanes.filter(isDetached).map(({ path }) => path);
  if (isDetached(laneOf(run, MAIN))) {
    const path = integrationPath(workspaceRoot, runId);
    await tearDownOwnPlace(run, { name: 'checks', path }, log);
    paths.push(path);
  }
  const warn = (path: string) => (err: unknown) =>
    log.warn({ err, runId, path }, 'a worktree without a branch could not be removed; devflow cleanup removes it');
  for (const path of paths) await removeDetachedWorktree({ repoPath, path }).catch(warn(path));
  if (!isMeasured(run)) return;
  const place = evaluationPlace(workspaceRoot, runId);
  await tearDownOwnPlace(run, { name: 'evaluation', path: place.worktree }, log);
  await removeEvaluationPlace({ repoPath, ...place }).catch(warn(place.worktree));
}
