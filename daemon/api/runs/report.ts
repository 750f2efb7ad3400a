import { reportPaths } from '../../../schemas/files/paths.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Run } from '../../core/run/state.ts';
import { reportOfRun } from '../../engine/performers/reportOfRun.ts';
import type { RunLog } from '../../store/runLog.ts';

/** An open run has a report too, and a full disk cannot lose it. */
export async function reportOf(run: Run, runLog: Pick<RunLog, 'readEvents'>): Promise<RpcResult<'run.report'>> {
  const { markdown, json } = await reportOfRun(run, runLog);
  const { md, json: file } = reportPaths(run.workspaceRoot, run.id);
  return { runId: run.id, markdown, json: { ...json }, paths: run.reportPath ? { markdown: md, json: file } : null };
}
