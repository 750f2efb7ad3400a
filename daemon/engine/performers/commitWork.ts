import { ensureArtifactDirectory } from '../../harness/artifact/artifactDirectory.ts';
import { commitWork as commit } from '../../harness/worktree/commitWork.ts';
import { readWorktree } from '../../harness/worktree/readWorktree.ts';
import { registerWorktree } from '../../harness/worktree/restoreWorktree.ts';
import type { Performer } from './performer.ts';

/** Commits what the agent changed, so agents need no git. After a crash the trailers identify the commit. */
export const commitWork: Performer<'commitWork'> = async (effect, { faults, config }) => {
  const { runId, phaseId, phaseKey, attempt, lane, since, title, bindsWorktree, hasGate } = effect;
  faults.at('commitWork.before_commit');
  await registerWorktree({ ...lane, startCommit: since, filters: config.git.filters });
  ensureArtifactDirectory(lane.path);
  const work = await commit({
    worktree: lane,
    since,
    subject: `devflow: ${title}`,
    trailers: { run: runId, phase: phaseKey, attempt },
  });
  faults.at('commitWork.after_commit');
  const isAsked = hasGate || work.nestedRepositories !== undefined;
  if (!bindsWorktree || !isAsked) return { type: 'workCommitted', phaseId, attempt, work };
  const found = await readWorktree(lane);
  return { type: 'workCommitted', phaseId, attempt, work, worktree: found };
};
