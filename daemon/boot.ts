import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../schemas/config/config.ts';
import type { DevflowError } from '../schemas/errors.ts';
import { PASSABLE, type Paths, sessionDir } from '../schemas/files/paths.ts';
import { runDir } from '../schemas/files/runPaths.ts';
import { createAgentGuard } from './agentGuard/agentGuard.ts';
import { createTries } from './api/backtest/tryObjective.ts';
import { lintKnowledge } from './api/definitions/lintKnowledge.ts';
import { createIds } from './api/lookup/ids.ts';
import { createMethods } from './api/methods.ts';
import { isBelowAny } from './contracts/contractPorts.ts';
import { createContractWatches } from './contracts/watchContracts.ts';
import { isMeasured } from './core/objective/measuring.ts';
import { isHere } from './core/run/place.ts';
import type { Run } from './core/run/state.ts';
import type { Database, OpenOptions } from './db/database.ts';
import { createCurrentDefinitions, createRunRegistries } from './definitions/currentDefinitions.ts';
import { createIgnoredFiles } from './definitions/ignoredFiles.ts';
import { createDefinitionKeeper } from './definitions/keepCurrent.ts';
import { packagePlaces, userDefinitionPlaces } from './definitions/places.ts';
import { definitionProblems, logFaults } from './definitions/problems.ts';
import { PERFORMERS } from './engine/allPerformers.ts';
import { createOtherRuns } from './engine/hosts/otherRuns.ts';
import { createAgentSlots } from './engine/local/agentSlots.ts';
import { commitOf } from './engine/local/commitOf.ts';
import { createLastBackends } from './engine/local/lastBackends.ts';
import { createObserve, observeHere } from './engine/local/observe.ts';
import { createPerform } from './engine/local/perform.ts';
import { createStarter } from './engine/local/startRun.ts';
import type { RunEngine } from './engine/runEngine.ts';
import { createBus, type EventBus } from './events/bus.ts';
import { createSubscriptions } from './events/subscriptions.ts';
import { createWorktreeProgress } from './events/worktreeProgress.ts';
import { moduleLogs } from './log/log.ts';
import { sweepTemporaryGit } from './repository/privateGit/temporaryGit.ts';
import { createAnswerHost } from './rpc/answerHost.ts';
import { startRpc } from './rpc/start.ts';
import { createSessionManager, type SessionManager } from './sessions/manager.ts';
import { createTranscripts, type Transcripts } from './sessions/transcript/transcript.ts';
import { type Backends, createBackends } from './startup/backends.ts';
import { createChunkNotices } from './startup/chunkNotices.ts';
import { createDaemonDoctor } from './startup/daemonDoctor.ts';
import { followOtherHosts } from './startup/followOtherHosts.ts';
import { hostPorts } from './startup/hostPorts.ts';
import { leadHost } from './startup/leadHost.ts';
import type { Lifecycle } from './startup/lifecycle.ts';
import { openDatabaseForLeader } from './startup/openDatabaseForLeader.ts';
import { openEngine } from './startup/openEngine.ts';
import { startNotices } from './startup/startNotices.ts';
import { startStatusLine } from './statusLine/statusLine.ts';
import { createDefinitions } from './store/definitions.ts';
import { createGitCommands } from './store/gitCommands.ts';
import { lastBackendsIn } from './store/lastBackends.ts';
import { createLists } from './store/lists.ts';
import { createRunLog } from './store/runLog.ts';
import { saveAttachment } from './store/sessions.ts';
import { transcriptStore } from './store/transcripts.ts';
import { systemClock } from './system/clock.ts';
import { collectWhenQuiet } from './system/collectWhenQuiet.ts';
import type { Faults } from './system/faults.ts';

export interface BootOptions {
  config: Config;
  paths: Paths;
  log: Logger;
  faults: Faults;
  lifecycle: Lifecycle;
  /** Only `devflow up` may migrate. */
  mayMigrate: boolean;
  /** Another installation, whose host a person gives to this one. */
  takeFrom?: string;
  patience: Pick<OpenOptions, 'patienceMs' | 'onWaiting'>;
  /** A client asked for the end. */
  onStop(): void;
  /** This daemon no longer leads: the process must end at once. */
  onLost(error: DevflowError): void;
}

/** The one place that knows all parts. Each step needs those above it; the lifecycle releases them in reverse. */
export async function boot(options: BootOptions): Promise<{ socketPath: string; runs: number; database: Database }> {
  const startedAt = new Date();
  const { paths, faults, lifecycle } = options;
  const logOf = moduleLogs(options.log);
  const places = packagePlaces();
  const backends = createBackends({ config: options.config, places, paths, env: process.env });
  lifecycle.hold('tmux', () => backends.close());
  void backends
    .cleanEnvironment()
    .catch((err: unknown) => logOf('sessions').warn({ err }, 'could not clean the tmux environment'));
  void sweepTemporaryGit().catch((err: unknown) =>
    logOf('engine').warn({ err }, 'could not remove temporary git directories'),
  );
  const { config, adapters } = backends;
  for (const file of [paths.logFile, paths.databaseLog]) mkdirSync(dirname(file), { recursive: true, mode: PASSABLE });

  const opening = openDatabaseForLeader(config, paths, places, lifecycle, options.patience);
  // The await below reports a failure. Until then it must not count as unhandled.
  opening.catch(() => {});
  // The database server is spawned during this turn. While it starts, read the definitions.
  await nextTurn();
  const files = createCurrentDefinitions(places, paths);
  const { registry } = files;
  const { database, leadership, here, clock, committer } = await leadHost(await opening, options, {
    places,
    log: logOf('db'),
  });
  const runLog = createRunLog(database.pool, committer);
  const lists = createLists(database.pool);
  const gitCommands = createGitCommands(database.drizzle);
  const definitions = createDefinitions(database.drizzle);
  const { inForce } = await definitions.seed(files.current());
  files.replace(inForce);
  const log = logOf('definitions');
  logFaults(inForce, log);

  const bus = createBus();
  const chunkNotices = createChunkNotices(database.pool, bus, here.id);
  const transcripts = createTranscripts({
    store: transcriptStore(database.drizzle),
    onAppended(chunk) {
      bus.hint(chunk.runId, { event: 'transcript.chunk_appended', data: chunk });
      if (here.shared) chunkNotices.send(chunk);
    },
    log: logOf('sessions'),
  });
  const sessions = openSessions({ config, database, transcripts, log: logOf('sessions'), adapters });
  const keeper = createDefinitionKeeper({ files, store: definitions, paths, bus, log, openRuns: () => openRuns() });
  const ports = {
    config,
    here,
    clock,
    faults,
    log: logOf('engine'),
    runLog,
    gitCommands,
    definitions,
    registry,
    sessions,
    lintKnowledge: () => lintKnowledge(registry, files.current(), config.backends),
    publishing: { ...definitions, places: userDefinitionPlaces(paths), takeUp: keeper.takeUp },
    worktrees: createWorktreeProgress(bus),
    agentSlots: createAgentSlots(config.maxConcurrentAgents, bus),
  };
  const registryOf = createRunRegistries(files.registryOf, (runId) => engine.readRun(runId));
  const ofThisHost = (run: Run) => isHere(run, here);
  const { engine, shared } = await openEngine(
    {
      ...ports,
      bus,
      isHere: ofThisHost,
      perform: createPerform(PERFORMERS, ports, registryOf),
      observe: observeHere(createObserve(config.git.filters, registryOf), here),
      pool: database.pool,
      life: leadership.epoch,
    },
    { config, paths, places },
  );
  lifecycle.hold('engine', () => engine.stop());
  // Released before the engine: a delivery that waits for a person ends only with its session.
  lifecycle.hold('sessions', () => sessions.shutdown({ deadlineMs: 4_000 }));
  const others =
    shared &&
    createOtherRuns({
      ...ports,
      hostId: here.id,
      isHere: ofThisHost,
      bus,
      catchUp: shared.catchUp,
      drives: shared.drives,
    });
  const openRuns = () => [...engine.openRuns(), ...(others?.openRuns() ?? [])];
  const readRun = async (runId: string) => others?.readRun(runId) ?? engine.readRun(runId);
  startNotices({ config, paths, bus, openRuns, readRun, server: engine.server, logOf, lifecycle });
  const { runs } = await engine.reconcile();
  if (others && shared) await followOtherHosts({ ...ports, others, shared, chunks: chunkNotices, database, lifecycle });
  const serverAwaySince = () => engine.server()?.away?.since;
  const statusLine = { config, paths, bus, openRuns, serverAwaySince, log: logOf('statusLine') };
  lifecycle.hold('status line', await startStatusLine(statusLine));

  const subscriptions = createSubscriptions({
    bus,
    readEvents: runLog.readEvents,
    readLastSeq: runLog.readLastSeq,
    watchContracts: createContractWatches().watch,
    onError: (err) => logOf('events').error({ err }, 'a subscription failed'),
  });
  lifecycle.hold('subscriptions', () => subscriptions.close());
  const { socketPath } = paths;
  const ids = createIds(lists);
  const isSecret = (runId: string) => openRuns().some((run) => run.id === runId && isMeasured(run));
  const guard = createAgentGuard({ ids, running: sessions.running, isSecret, log: logOf('rpc') });
  const tries = createTries(ports);
  const handlers = createMethods({
    ...ports,
    tries,
    ids,
    database,
    lists,
    engine: { ...engine, openRuns, readRun },
    hosts: shared && hostPorts(shared, here, database),
    starter: startingIn(engine, {
      ...ports,
      bus,
      ignoredFiles: createIgnoredFiles(files.current, paths, places),
    }),
    lastBackends: createLastBackends({ config, definitions, readLastBackends: lastBackendsIn(database.pool) }),
    current: files.current,
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
    onTranscriptRead: transcripts.watched,
    daemon: {
      version: places.version,
      socketPath,
      startedAt,
      problems: () => [...definitionProblems(files.current().errors, paths.userTemplates), ...keeper.problems()],
      stop: options.onStop,
      doctor: createDaemonDoctor(config, paths, lists.listRunIds),
    },
    log: logOf('cleanup'),
  });
  shared?.answerWith(createAnswerHost(handlers, logOf('rpc')));
  const rpc = await startRpc({ socketPath, handlers, guard, log: logOf('rpc') });
  lifecycle.hold('socket', () => rpc.close());
  lifecycle.hold('tries', () => tries.close());
  lifecycle.hold('definition watch', () => keeper.close());
  lifecycle.hold('collection', collectWhenQuiet());
  // After the readiness was reported.
  setImmediate(keeper.start);
  return { socketPath, runs, database };
}

function openSessions(options: {
  config: Config;
  database: Database;
  transcripts: Transcripts;
  log: Logger;
  adapters: Backends['adapters'];
}): SessionManager {
  const { config, database, transcripts, log, adapters } = options;
  const db = database.drizzle;
  return createSessionManager({
    adapters,
    transcripts,
    store: { saveAttachment: (sessionId, handle) => saveAttachment(db, sessionId, handle) },
    log,
    sessionDirOf: ({ runId, sessionId }) => join(sessionDir(config.workspaceRoot, runId), sessionId),
  });
}

/** Starts runs, and announces the first commit as the engine announces the others. */
function startingIn(
  engine: RunEngine,
  ports: Pick<
    Parameters<typeof createStarter>[0],
    'config' | 'here' | 'clock' | 'runLog' | 'definitions' | 'registry' | 'ignoredFiles'
  > & {
    bus: EventBus;
  },
) {
  return createStarter({
    ...ports,
    engine,
    onCreated: (run, event) => ports.bus.publish(commitOf(undefined, { run, events: [event] })),
  });
}
