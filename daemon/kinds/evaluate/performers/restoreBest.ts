import { keepWorktree } from '../../../engine/performers/keepWorktree.ts';
import type { Performer } from '../../../engine/performers/performer.ts';
import { commitTree } from '../../../repository/worktree/commitTree.ts';
import { registerWorktree } from '../../../repository/worktree/restoreWorktree.ts';

/** The branch keeps what was tried: a commit brings the files of the best state back. */
export const restoreBest: Performer<'restoreBest'> = async (effect, ports) => {
  const { runId, phaseId, phaseKey, attempt, lane, since, best, title } = effect;
  await keepWorktree(runId, lane, ports);
  await registerWorktree({ ...lane, startCommit: since, filters: ports.config.git.filters });
  ports.faults.at('restoreBest.before_commit');
  const work = await commitTree({
    worktree: lane,
    since,
    like: best,
    subject: `devflow: ${title}`,
    trailers: { run: runId, phase: phaseKey, attempt },
  });
  ports.faults.at('restoreBest.after_commit');
  return { type: 'workCommitted', phaseId, attempt, work };
};
