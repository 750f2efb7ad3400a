import { reportPaths } from '../../../schemas/files/paths.ts';
import { writeReport } from '../../report/write.ts';
import { leaveOutOfBranches } from './leaveOutOfBranches.ts';
import type { Performer } from './performer.ts';
import { removeReaders } from './removeReaders.ts';
import { reportOfRun } from './reportOfRun.ts';

/**
 * Ends the agents, writes the final report, removes the worktrees that nobody needs, and records the report's path. Best effort:
 * the next start retries it, and the report is also made on demand.
 */
export const composeReport: Performer<'composeReport'> = async ({ runId }, ports) => {
  const { runLog, registry, faults, sessions, log } = ports;
  const run = await runLog.readRun(runId);
  if (!run) return undefined;
  // The recorded path means that the run needs nothing more, so its agents must be gone first.
  await sessions.disposeRun(
    runId,
    run.sessions.map(({ id: sessionId, backend }) => ({ sessionId, backend })),
  );
  await leaveOutOfBranches(run, log);
  const report = await reportOfRun(run, runLog);
  faults.at('composeReport.before_write');
  const paths = reportPaths(run.workspaceRoot, runId);
  await writeReport(paths, report, registry);
  faults.at('composeReport.after_write');
  // After the agents: one that is still there could write into its directory again.
  await removeReaders(run, log);
  await runLog.markReported({ ...run, reportPath: paths.md });
  faults.at('composeReport.after_mark');
  return undefined;
};
