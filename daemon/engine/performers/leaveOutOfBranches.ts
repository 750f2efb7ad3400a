import type { Logger } from 'pino';
import { hasBranch, headOf, placeOf } from '../../core/run/lanes.ts';
import type { Run } from '../../core/run/state.ts';
import { isDirectory } from '../../repository/git/repositoryFiles.ts';
import { leaveOutTaken } from '../../repository/worktree/leaveOutTaken.ts';

/**
 * Takes copied files out of the branches of an ended run. Where an agent was stopped in a turn, devflow did not commit, so its own
 * commits may have them. Best effort.
 */
export async function leaveOutOfBranches(run: Run, log: Pick<Logger, 'warn'>): Promise<void> {
  const { id: runId } = run;
  for (const lane of run.lanes.filter(hasBranch)) {
    const { branch } = lane;
    if (!(await isDirectory(lane.path))) continue;
    const message = { subject: 'Work of a stopped agent', trailers: { run: runId, phase: 'ended', attempt: lane.id } };
    try {
      const paths = await leaveOutTaken(placeOf(run, lane.id), headOf(lane), message);
      if (paths.length > 0)
        log.warn({ runId, branch, paths }, 'an agent committed files that devflow keeps out of branches');
    } catch (err) {
      log.warn({ err, runId, branch }, 'the branch could not be searched for files that devflow keeps out of it');
    }
  }
}
