import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../../schemas/config/config.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { HOST_GATE } from '../../../schemas/gates/ownGates.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import type { Effect } from '../../core/effect/effect.ts';
import { type Here, hostOf, isHere } from '../../core/run/place.ts';
import type { Run } from '../../core/run/state.ts';
import { createPassingAdvance } from '../local/advance.ts';
import { createEngine, type EngineOptions, type SharedRuns } from '../local/engine.ts';
import type { Performers } from '../performers/performer.ts';
import type { RunEngine } from '../runEngine.ts';
import { type AskedAdvance, createAskedAdvance } from './askedAdvance.ts';
import { createAttempt } from './attempts.ts';
import { connectionOptions, databasePrefix, openClient, readNamespaceId, serverTrouble } from './connect.ts';
import { type Answer, createAnswer, createHostQuestions, type HostQuestions } from './hostQuestions.ts';
import { loadSdk } from './loadSdk.ts';
import { createNudges } from './nudges.ts';
import type { View } from './plan.ts';
import { installRuntime } from './runtime.ts';
import { createUnattended, worksAnew } from './unattended.ts';
import { endUnknownRuns } from './unknownRuns.ts';
import { viewOf } from './view.ts';
import { watchServer } from './watchServer.ts';
import { createLaterWorkers, queueOfHost, queueOfRuns, startWorkers } from './workers.ts';
import type { Patience } from './workflow.ts';
import { workflowBundle } from './workflowBundle.ts';

export interface TemporalOptions extends EngineOptions {
  settings: Config['temporal'];
  /** Where the optional packages are. */
  packages: string;
  /** The built workflow. */
  workflow: string;
  pool: Parameters<typeof databasePrefix>[0];
  here: Here;
  /** The lease of this daemon. */
  life: number;
  performers: Performers;
  log: EngineOptions['log'] & Pick<Logger, 'trace' | 'info'>;
}

export interface TemporalEngine extends RunEngine, SharedRuns, HostQuestions {
  /** Says how to answer other hosts. Until then they are told to try again. */
  answerWith(answer: Answer): void;
}

/** A workflow task of a killed daemon is given to another after this time. */
const WORKFLOW_TASK_MS = 3_000;
const HEARTBEAT_MS = 30_000;
/** A start that nothing refuses is told after this time, bound or not: a server may be frozen. */
const BOUND_MS = 3_000;
/** A call that gets no answer is made again: to be told twice does no harm. Nobody waits for it. */
const NUDGE_MS = 10_000;

/**
 * The engine for several hosts. Each host drives its runs as the local engine does. Only, Temporal says when an effect
 * begins, where, and when it begins again. Postgres stays the truth; Temporal may lose everything.
 */
export async function openTemporalEngine(options: TemporalOptions): Promise<TemporalEngine> {
  const { settings, packages, here, life, clock, log } = options;
  const { namespace } = settings;
  const sdk = loadSdk(packages);
  const logger = installRuntime(sdk, log);
  const connection = openClient(sdk, settings);
  const client = new sdk.client.Client({ connection, namespace });
  const prefix = settings.prefix ?? (await databasePrefix(options.pool));
  const bundle = await workflowBundle({ sdk, source: options.workflow, packages, logger });
  const patience: Patience = { heartbeat: HEARTBEAT_MS, silentHost: settings.silentHostMs };

  const view = (run: Run): View =>
    viewOf(run, queueOfHost(prefix, hostOf(run, here)), clock.now(), isHere(run, here) ? life : undefined);
  const workflowOf = (runId: string) => `${prefix}-run-${runId}`;

  let worksSince = steadyNow();
  const server = watchServer({
    readNamespaceId: () => readNamespaceId(connection, namespace),
    reasonOf: (error) => serverTrouble(error, namespace),
    onThere(there) {
      if (worksAnew(there, settings.silentHostMs)) worksSince = steadyNow();
      void workers.start();
      if (workers.areRunning()) runs.hostReturned();
      for (const runId of advances.keys()) void runs.readRun(runId).then((run) => run && nudges.nudge(run));
    },
    onChange: () => options.bus.hint(null, { event: 'engine.changed', data: {} }),
    now: () => options.clock.now().toISOString(),
    log,
  });
  const nudges = createNudges({
    log,
    send: (run, mayStart) =>
      connection
        .withDeadline(Date.now() + NUDGE_MS, () => tell(run, mayStart))
        .catch((error: unknown) => {
          void server.check();
          throw error;
        }),
  });

  async function tell(run: Run, mayStart: boolean): Promise<void> {
    const workflowId = workflowOf(run.id);
    if (mayStart) {
      await client.workflow.signalWithStart('run', {
        workflowId,
        taskQueue: queueOfRuns(prefix),
        args: [run.id, patience],
        signal: 'moved',
        signalArgs: [view(run)],
        workflowTaskTimeout: WORKFLOW_TASK_MS,
      });
      return;
    }
    await client.workflow
      .getHandle(workflowId)
      .signal('moved', view(run))
      .catch((error: unknown) => {
        if (!(error instanceof sdk.client.WorkflowNotFoundError)) throw error;
      });
  }

  /** One for each run that this daemon drives. */
  const advances = new Map<string, AskedAdvance>();
  const runs = createEngine({
    ...options,
    createAdvance(run, advanceOptions) {
      if (!isHere(run, here)) return createPassingAdvance(run, nudges.nudge);
      const advance = createAskedAdvance({ ...advanceOptions, onMoved: nudges.nudge });
      advances.set(run.id, advance);
      return advance;
    },
    onReleased: (runId) => advances.delete(runId),
  });

  const attempt = createAttempt({
    sdk,
    runs,
    advanceOf: (runId) => advances.get(runId),
    viewOf: view,
    onForgotten: nudges.nudge,
    heartbeatMs: patience.heartbeat,
  });
  async function endUnknown(): Promise<void> {
    await endUnknownRuns({
      sdk,
      client,
      queue: queueOfRuns(prefix),
      before: workflowOf(''),
      isKnown: async (runId) => runs.drives(runId) || (await options.runLog.readLastSeq(runId)) > 0,
    });
  }

  let answer: Answer | undefined;
  const questions = createHostQuestions({ sdk, connection, client, server, prefix });
  const types = Object.keys(options.performers) as Effect['type'][];
  let isReconciled = false;
  const workers = createLaterWorkers({
    connect: () => sdk.worker.NativeConnection.connect(connectionOptions(settings)),
    start: (native) =>
      startWorkers({
        sdk,
        connection: native,
        namespace,
        prefix,
        host: here.id,
        bundle,
        heartbeatMs: patience.heartbeat,
        anywhere: createUnattended({
          runs,
          viewOf: view,
          here,
          silentHostMs: settings.silentHostMs,
          hasWorkedMs: () => steadyNow() - worksSince,
          listUnfinished: options.runLog.listUnfinished,
          clock,
        }),
        here: {
          ...Object.fromEntries(types.map((type) => [type, attempt])),
          answer: createAnswer(sdk, () => answer),
        },
        log,
      }),
    // An attempt must find its run.
    mayStart: () => isReconciled && server.away() === undefined,
    onStarted() {
      worksSince = steadyNow();
      runs.hostReturned();
      void endUnknown().catch((err) => log.warn({ err }, 'the workflows of unknown runs could not be ended'));
    },
    log,
  });
  const unlisten = options.bus.listen(null, ({ events }) => {
    // Another host has asked a person about this one, which takes work.
    if (events.some(asksAboutHost) && workers.areRunning() && !server.away()) runs.hostReturned();
  });

  return {
    ...runs,
    ...questions,
    answerWith(given) {
      answer = given;
    },
    server: () => ({ address: settings.address, namespace, away: server.away() ?? null }),
    async adopt(run) {
      const over = new AbortController();
      const bound = runs.adopt(run);
      bound.catch(() => {});
      try {
        void server.check();
        // The run is in the log. Without the server it begins later.
        await Promise.race([bound, server.untilAway(over.signal), sleep(BOUND_MS, undefined, over)]);
      } finally {
        over.abort();
      }
    },
    async reconcile() {
      const reconciled = await runs.reconcile();
      isReconciled = true;
      if (!(await server.check())) await workers.start();
      return reconciled;
    },
    async stop() {
      server.stop();
      unlisten();
      nudges.stop();
      await runs.stop();
      await workers.stop();
      await connection.close();
    },
  };
}

function asksAboutHost(event: RunEvent): boolean {
  return event.type === 'approval.requested' && event.payload.gateKey === HOST_GATE;
}
