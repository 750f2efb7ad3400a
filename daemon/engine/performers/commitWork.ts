import { ensureArtifactDirectory } from '../../harness/artifactDirectory.ts';
import { commitWork as commit } from '../../harness/worktree.ts';
import type { Performer } from './performer.ts';

/** Agents need no git: what they changed is committed here, found again after a crash by its trailers. */
export const commitWork: Performer<'commitWork'> = async (effect, { faults }) => {
  const { runId, phaseId, phaseKey, attempt, worktree, since, title } = effect;
  faults.at('commitWork.before_commit');
  ensureArtifactDirectory(worktree);
  const work = await commit({
    worktree,
    since,
    subject: `devflow: ${title}`,
    trailers: { run: runId, phase: phaseKey, attempt },
  });
  faults.at('commitWork.after_commit');
  return { type: 'workCommitted', phaseId, attempt, work };
};
