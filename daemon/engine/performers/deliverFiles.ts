import { isLocalFile } from '../../../schemas/contracts/handover/document/contract.ts';
import { someOf } from '../../../schemas/text/phrases.ts';
import { keepFiles } from '../../contracts/exchange/keepFiles.ts';
import { commitFiles } from '../../repository/worktree/commitFiles.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';

/** Writes and commits the last files of an ended run, so that its branch has them. Nothing else of the worktree is committed. */
export const deliverFiles: Performer<'deliverFiles'> = async (effect, ports) => {
  const { runId, lane, since, files, sessions: recorded } = effect;
  const { sessions, config, log, faults } = ports;
  // An agent that is still there could write these files again.
  await sessions.disposeRun(runId, recorded);
  await keepWorktree(runId, lane, ports);
  await registerWorktree({ ...lane, filters: config.git.filters });
  const inTheWay = await keepFiles({ repoPath: lane.repoPath, worktree: lane.path }, files);
  for (const [path, err] of inTheWay) log.warn({ runId, path, err }, 'cannot write a file of the exchange');
  const shared = Object.keys(files).filter((path) => !isLocalFile(path));
  const missing = shared.filter((path) => inTheWay.has(path));
  faults.at('deliverFiles.before_commit');
  const made = await commitFiles({
    worktree: lane,
    since,
    subject: 'devflow: Record how the run ended',
    trailers: { run: runId, phase: 'end', attempt: 1 },
    // A file in the way is an agent's, and no file of devflow was deleted.
    paths: shared.filter((path) => !inTheWay.has(path)),
  });
  faults.at('deliverFiles.after_commit');
  return { type: 'filesDelivered', ...made, ...(missing.length > 0 ? { reason: reasonOf(missing) } : {}) };
};

function reasonOf(missing: readonly string[]): string {
  return `Something else is in the place of ${someOf(missing)}, so the branch does not have what devflow wrote there.`;
}
