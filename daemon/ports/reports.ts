import { DevflowError } from '../../schemas/errors.ts';
import { reportPaths } from '../../schemas/files/paths.ts';
import { allInputs } from '../engine/core/inputs.ts';
import type { LocalEngine } from '../engine/local/engine.ts';
import { lanePlace } from '../harness/lane/lane.ts';
import { readLeftBehind } from '../harness/worktree/leftBehind.ts';
import { composeReport } from '../report/compose.ts';
import type { Ports } from '../rpc/ports.ts';
import type { RunLog } from '../store/runLog.ts';

/** The report of a run, made from its log: an open run has one too, and a full disk does not take it away. */
export function createReports({ engine, runLog }: { engine: LocalEngine; runLog: RunLog }): Ports['reports'] {
  return {
    async read(runId) {
      const run = await engine.readRun(runId);
      if (!run) throw new DevflowError('not_found', `There is no run ${runId}.`);
      const events = await runLog.readEvents(runId, 0, run.lastSeq);
      const left = await readLeftBehind(
        run.artifacts,
        { ...lanePlace(run), runId: run.id, baseBranch: run.baseBranch, baseCommit: run.baseCommit },
        allInputs(run),
      );
      const { markdown, json } = composeReport({ run, events, findings: [], ...left });
      const { md, json: file } = reportPaths(run.workspaceRoot, runId);
      return { runId, markdown, json: { ...json }, paths: run.reportPath ? { markdown: md, json: file } : null };
    },
  };
}
