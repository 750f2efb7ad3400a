import { runDir } from '../../schemas/files/runPaths.ts';
import { type HostAnswer, resultOf } from '../../schemas/rpc/wireError.ts';
import type { SandboxWish } from '../../schemas/sandbox.ts';
import { createAgentGuard } from '../agentGuard/agentGuard.ts';
import { createTries } from '../api/backtest/tryObjective.ts';
import type { HostPorts } from '../api/hosts/route.ts';
import { createIds } from '../api/lookup/ids.ts';
import { createMethods } from '../api/methods.ts';
import { createSetupTries } from '../api/repositories/initRepository.ts';
import { isBelowAny } from '../contracts/contractPorts.ts';
import { createContractWatches } from '../contracts/watchContracts.ts';
import { isMeasured } from '../core/objective/measuring.ts';
import type { Here } from '../core/run/place.ts';
import type { Database } from '../db/database.ts';
import { createIgnoredFiles } from '../definitions/ignoredFiles.ts';
import { definitionProblems } from '../definitions/problems.ts';
import { commitOf } from '../engine/local/commitOf.ts';
import { createLastBackends } from '../engine/local/lastBackends.ts';
import { createPrepareContinue } from '../engine/local/prepareContinue.ts';
import { createStarter } from '../engine/local/startRun.ts';
import { createSubscriptions } from '../events/subscriptions.ts';
import { createAnswerHost } from '../rpc/answerHost.ts';
import { startRpc } from '../rpc/start.ts';
import { trySandbox } from '../sandbox/trySandbox.ts';
import type { FindTemplate } from '../settings/consent/templateSubject.ts';
import { createRepositorySettings } from '../settings/repositorySettings.ts';
import { listHosts, readHostOfRun, readHostOfSchedule } from '../store/hosts.ts';
import { lastBackendsIn } from '../store/lists.ts';
import { systemClock } from '../system/clock.ts';
import { collectWhenQuiet } from '../system/collectWhenQuiet.ts';
import { createDaemonDoctor } from './daemonDoctor.ts';
import type { Ground } from './ground.ts';
import type { Agents } from './openAgents.ts';
import { openScheduler } from './openScheduler.ts';
import type { Store } from './openStore.ts';

/** People, agents and other hosts reach the methods, through the socket and the engine. */
export async function openSocket(ground: Ground, store: Store, agents: Agents): Promise<void> {
  const { config, paths, places, adapters, lifecycle, logOf } = ground;
  const { database, here, clock, files, runLog, lists } = store;
  const { ports, refusals, engine, shared, transcripts, keeper } = agents;
  const { bus, sessions, definitions } = ports;
  const { openRuns } = engine;
  const subscriptions = createSubscriptions({
    bus,
    readEvents: runLog.readEvents,
    readLastSeq: runLog.readLastSeq,
    watchContracts: createContractWatches().watch,
    onError: (err) => logOf('events').error({ err }, 'a subscription failed'),
  });
  lifecycle.hold('subscriptions', () => subscriptions.close());
  const ids = createIds(lists);
  const isSecret = (id: string) =>
    openRuns().some((run) => isMeasured(run) && [run, ...run.sessions].some((each) => each.id === id));
  const guard = createAgentGuard({ ids, running: sessions.running, isSecret, refusals, log: logOf('rpc') });
  const tries = createTries(ports);
  const findTemplate: FindTemplate = async (ref) => (await definitions.getTemplate(ref)).template;
  const settings = createRepositorySettings({ config, paths, clock, searchPath: process.env.PATH ?? '', findTemplate });
  const sandboxHere = (wish: SandboxWish) => trySandbox(wish, process.env);
  const setupTries = createSetupTries({ settings, config, trySandbox: sandboxHere, now: () => clock.now() });
  const starter = createStarter({
    ...ports,
    engine,
    settings,
    lookAgain: keeper.lookAgain,
    ignoredFiles: createIgnoredFiles(files.current, paths, places),
    trySandbox: sandboxHere,
    onCreated: (run, event) => bus.publish(commitOf(undefined, { run, events: [event] })),
  });
  const scheduler = openScheduler(ground, store, agents, starter);
  const handlers = createMethods({
    ...ports,
    tries,
    ids,
    database,
    lists,
    engine,
    hosts: shared && hostPorts(shared, here, database),
    starter,
    scheduler,
    prepareContinue: createPrepareContinue({ config, definitions, lookAgain: keeper.lookAgain }),
    lastBackends: createLastBackends({
      config,
      definitions,
      settings,
      readLastBackends: lastBackendsIn(database.pool),
    }),
    repositories: { settings, paths, config, findTemplate, initRepository: setupTries.initRepository },
    current: files.current,
    lookAgain: keeper.lookAgain,
    filters: config.git.filters,
    manager: sessions,
    adapters,
    subscriptions,
    contracts: {
      now: () => systemClock.now().getTime(),
      isInUse: async (directory) =>
        isBelowAny(
          openRuns().map(({ workspaceRoot, id }) => runDir(workspaceRoot, id)),
          directory,
        ),
      warn: (message, facts) => logOf('contracts').warn(facts, message),
    },
    refusedAt: guard.refusedAt,
    registryOf: agents.registryOf,
    onTranscriptRead: transcripts.watched,
    daemon: daemonParts(ground, store, agents),
    log: logOf('cleanup'),
  });
  shared?.answerWith(createAnswerHost(handlers, logOf('rpc')));
  const rpc = await startRpc({ socketPath: paths.socketPath, handlers, guard, log: logOf('rpc') });
  lifecycle.hold('socket', () => rpc.close());
  lifecycle.hold('tries', () => tries.close());
  lifecycle.hold('setup tries', () => setupTries.close());
  lifecycle.hold('definition watch', () => keeper.close());
  lifecycle.hold('collection', collectWhenQuiet());
  // After the readiness was reported.
  setImmediate(keeper.start);
  setImmediate(scheduler.wake);
}

function daemonParts(
  { config, paths, places, startedAt, settings, onStop }: Ground,
  { files, lists }: Store,
  { keeper, webhook }: Agents,
) {
  return {
    version: places.version,
    socketPath: paths.socketPath,
    startedAt,
    settings,
    problems: () => [...definitionProblems(files.current().errors, paths.userTemplates), ...keeper.problems()],
    webhookStatus: () => webhook?.status(),
    stop: onStop,
    doctor: createDaemonDoctor(config, paths, lists.listRunIds),
  };
}

/** Reaches other hosts for the methods: the engine carries the questions, and the leases say who is there. */
function hostPorts(
  { askHost }: { askHost(hostId: string, method: string, params: unknown): Promise<unknown> },
  here: Here,
  { pool }: Pick<Database, 'pool'>,
): HostPorts {
  return {
    here,
    askHost: async (...question) => resultOf((await askHost(...question)) as HostAnswer),
    listHosts: () => listHosts(pool),
    readHostOfRun: (runId) => readHostOfRun(pool, runId),
    readHostOfSchedule: (scheduleId) => readHostOfSchedule(pool, scheduleId),
  };
}
