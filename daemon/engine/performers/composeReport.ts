import { reportPaths } from '../../../schemas/files/paths.ts';
import { worktreeOf } from '../../harness/git/worktreePlace.ts';
import { readLeftBehind } from '../../harness/worktree/leftBehind.ts';
import { composeReport as compose } from '../../report/compose.ts';
import { writeReport } from '../../report/write.ts';
import { allInputs } from '../core/inputs.ts';
import type { Performer } from './performer.ts';

/** Writes the final report and records its path. Best effort: the next start retries it, and it is also made on demand. */
export const composeReport: Performer<'composeReport'> = async ({ runId }, { runLog, registry, faults, sessions }) => {
  const run = await runLog.readRun(runId);
  if (!run) return undefined;
  const events = await runLog.readEvents(runId, 0, run.lastSeq);
  faults.at('composeReport.before_write');
  const paths = reportPaths(run.workspaceRoot, runId);
  const left = await readLeftBehind(
    run.artifacts,
    { ...worktreeOf(run), runId: run.id, baseBranch: run.baseBranch, baseCommit: run.baseCommit },
    allInputs(run),
  );
  await writeReport(paths, compose({ run, events, findings: [], ...left }), registry);
  faults.at('composeReport.after_write');
  // The recorded path means that the run needs nothing more, so its agents must be gone first.
  await sessions.disposeRun(
    runId,
    run.sessions.map(({ id: sessionId, backend }) => ({ sessionId, backend })),
  );
  await runLog.markReported({ ...run, reportPath: paths.md });
  faults.at('composeReport.after_mark');
  return undefined;
};
