import type { Logger } from 'pino';
import { defined } from '../../../schemas/defined.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { reportPaths } from '../../../schemas/files/paths.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { serverAwayWords } from '../../../schemas/states/host.ts';
import { changeAt } from '../../core/comments/changeAt.ts';
import { commentViews } from '../../core/comments/commentViews.ts';
import type { Run } from '../../core/run/state.ts';
import type { LastBackends } from '../../engine/local/lastBackends.ts';
import type { RunPlaces } from '../../engine/local/runPlaces.ts';
import type { Starter } from '../../engine/local/startRun.ts';
import { reportOfRun } from '../../engine/performers/reportOfRun.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import { findingViews } from '../../kinds/review/findingViews.ts';
import { reviewNotes } from '../../kinds/review/reviewNotes.ts';
import { reviewSummaries } from '../../kinds/review/reviewSummaries.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { GitCommands } from '../../store/gitCommands.ts';
import type { RunLog } from '../../store/runLog.ts';
import { placeViews } from '../approvals/placeViews.ts';
import { getRun, type Ids } from '../lookup/ids.ts';
import { listFilterOf } from '../lookup/listFilterOf.ts';
import { applyRun } from './apply.ts';
import { createCleanup, createRecording } from './cleanup.ts';
import { type ContinueParts, continueRun } from './continue.ts';
import { diffOfRun } from './diff.ts';
import { dryRunOf } from './dryRun.ts';
import { createCleanupEnded, type EndsParts } from './ends/cleanupEnded.ts';
import { runLanes } from './lanes/runLanes.ts';
import { queueTarget } from './queueTarget.ts';
import type { RunReads } from './runReads.ts';
import { overridesOf, startRequestOf } from './startRequestOf.ts';
import { type VerifyParts, verifyRun } from './verify.ts';

export interface RunParts extends Pick<EndsParts, 'listEnded' | 'readBases' | 'here'>, Omit<ContinueParts, 'engine'> {
  ids: Ids;
  reads: RunReads;
  engine: RunEngine;
  runPlaces: Pick<RunPlaces, 'queue'>;
  starter: Starter;
  lastBackends: LastBackends;
  runLog: RunLog;
  database: VerifyParts['database'];
  gitCommands: GitCommands;
  filters: string[];
  log: Pick<Logger, 'warn'>;
}

export function createRunMethods(parts: RunParts): HandlersOf<'run'> {
  const { ids, reads, engine, runPlaces, starter, lastBackends, runLog, database } = parts;
  const cleanUp = createCleanup(parts);
  const cleanupEnded = createCleanupEnded({ ...parts, cleanUp, recording: createRecording(parts) });
  const runOf = async (ref: string) => getRun(engine, await ids.run(ref));
  const queueOf = (runId: string) => defined({ queue: runPlaces.queue().find((each) => each.runId === runId)?.place });
  return {
    'run.start': async ({ dryRun, after: ref, ...given }) => {
      const after = ref === undefined ? undefined : firstRun(await runOf(ref)).id;
      const request = startRequestOf({ ...given, ...defined({ after }) });
      if (dryRun) return dryRunOf(await starter.preview(request));
      const begun = await starter.startRun(request);
      const started = { ...begun, ...queueOf(begun.runId) };
      const server = engine.server();
      if (!server?.away) return started;
      const waits = `The run begins once Temporal is back. ${serverAwayWords({ ...server, away: server.away })}.`;
      return { ...started, warnings: [...started.warnings, waits] };
    },
    'run.lastBackends': ({ host: _, bind, backend, ...request }) =>
      lastBackends({ ...request, overrides: overridesOf(bind, backend) }),
    'run.list': async ({ state, limit, ...asked }) =>
      reads.listRuns({ state, limit: limit || undefined, ...(await listFilterOf(asked)) }),
    'run.get': async ({ runId }) => reads.getRun(await ids.run(runId)),
    'run.lanes': async ({ runId }) => runLanes(await runOf(runId)),
    'run.findings': async ({ runId }) => {
      const run = await runOf(runId);
      const comments = await placeViews(run, commentViews(run), changeAt(run, { subject: {} }).to);
      return {
        runId: run.id,
        findings: findingViews(run),
        reviews: reviewSummaries(run),
        ...(comments.length > 0 ? { comments } : {}),
        notes: reviewNotes(run),
      };
    },
    'run.events': async ({ runId, afterSeq, limit }) => runLog.readEvents(await ids.run(runId), afterSeq, limit),
    'run.pause': async ({ runId: ref, reason }) => {
      const runId = await ids.run(ref);
      return { runId, ...(await engine.pauseRun(runId, reason)) };
    },
    'run.resume': async ({ runId: ref, reason }) => {
      const runId = await ids.run(ref);
      return { runId, ...(await engine.resumeRun(runId, reason)) };
    },
    'run.abort': async ({ runId: ref, reason }) => {
      const runId = await ids.run(ref);
      return { runId, ...(await engine.abortRun(runId, reason ?? 'aborted by a person')) };
    },
    'run.move': async ({ runId: ref, release, ...target }) => {
      const runId = await ids.run(ref);
      const to = await queueTarget(ids, target, release);
      return { runId, ...(await engine.moveRun(runId, { to, release })), ...queueOf(runId) };
    },
    'run.skip': async ({ runId: ref, phase, reason }) => {
      const runId = await ids.run(ref);
      return { runId, ...(await engine.skipPhase(runId, phase, reason)) };
    },
    'run.finish': async ({ runId: ref, now }) => {
      const runId = await ids.run(ref);
      return { runId, ...(await engine.finishWork(runId, now)) };
    },
    'run.reopen': async ({ runId: ref, lane, comment }) => {
      const runId = await ids.run(ref);
      return { runId, ...(await engine.reopenLane(runId, lane, comment ?? null)) };
    },
    'run.continue': async ({ runId, ...request }) => continueRun(await runOf(runId), request, parts),
    'run.progress': async ({ runId: ref, ...progress }) => {
      const runId = await ids.run(ref);
      return { runId, ...(await engine.recordProgress(runId, progress)) };
    },
    'run.report': async ({ runId }) => reportOf(await runOf(runId), runLog),
    'run.verify': async ({ runId }) => verifyRun(await ids.run(runId), { database, engine }),
    'run.diff': async ({ runId }) => diffOfRun(await runOf(runId)),
    'run.apply': async ({ runId: ref, ...wish }) => {
      const runId = await ids.run(ref);
      // A run that has just ended still commits its last files.
      await engine.settled(runId);
      return applyRun(await getRun(engine, runId), wish, parts);
    },
    'run.cleanup': async ({ runId: ref, lane, force }) => {
      const runId = await ids.run(ref);
      // Wait for the commit of the run's last files: it needs the worktree, and they are not uncommitted work.
      await engine.settled(runId);
      return cleanUp(await getRun(engine, runId), { lane, force });
    },
    'run.cleanupEnded': cleanupEnded,
  };
}

/** An open run has a report too, and a full disk cannot lose it. */
async function reportOf(run: Run, runLog: Pick<RunLog, 'readEvents'>): Promise<RpcResult<'run.report'>> {
  const { markdown, json } = await reportOfRun(run, runLog);
  const { md, json: file } = reportPaths(run.workspaceRoot, run.id);
  return { runId: run.id, markdown, json: { ...json }, paths: run.reportPath ? { markdown: md, json: file } : null };
}

/** Throws state_conflict for a run that can never let another one begin. */
function firstRun(run: Run): Run {
  const canEndWell = !isTerminal(run.state) || run.state === 'completed' || run.applied.length > 0;
  if (canEndWell) return run;
  throw new DevflowError('state_conflict', `Run ${run.id} did not complete, so no run can start after it.`, {
    runId: run.id,
    recoveryHint: 'Start without --after, or apply its work first.',
    data: { currentState: run.state },
  });
}
