import { reportPaths } from '../../../schemas/files/paths.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { allInputs } from '../../engine/core/inputs.ts';
import type { Run } from '../../engine/core/run/state.ts';
import { worktreeOf } from '../../harness/git/worktreePlace.ts';
import { readLeftBehind } from '../../harness/worktree/leftBehind.ts';
import { composeReport } from '../../report/compose.ts';
import type { RunLog } from '../../store/runLog.ts';

/** Composes the report from the log. An open run has a report too, and a full disk cannot lose it. */
export async function reportOf(run: Run, { readEvents }: Pick<RunLog, 'readEvents'>): Promise<RpcResult<'run.report'>> {
  const events = await readEvents(run.id, 0, run.lastSeq);
  const left = await readLeftBehind(
    run.artifacts,
    { ...worktreeOf(run), runId: run.id, baseBranch: run.baseBranch, baseCommit: run.baseCommit },
    allInputs(run),
  );
  const { markdown, json } = composeReport({ run, events, findings: [], ...left });
  const { md, json: file } = reportPaths(run.workspaceRoot, run.id);
  return { runId: run.id, markdown, json: { ...json }, paths: run.reportPath ? { markdown: md, json: file } : null };
}
