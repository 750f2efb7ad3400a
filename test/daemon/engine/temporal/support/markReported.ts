import type { RunLog } from '../../../../../daemon/store/runLog.ts';

/** In place of the effect `composeReport`: the run needs nothing more. */
export async function markReported(runLog: RunLog, runId: string): Promise<undefined> {
  const run = await runLog.readRun(runId);
  if (run) await runLog.markReported({ ...run, reportPath: '/ws/report.md' });
}
