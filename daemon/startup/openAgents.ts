import { join } from 'node:path';
import { sessionDir } from '../../schemas/files/paths.ts';
import { createRefusals } from '../agentGuard/refusals.ts';
import { lintKnowledge } from '../api/definitions/lintKnowledge.ts';
import { isHere } from '../core/run/place.ts';
import type { Run } from '../core/run/state.ts';
import { createRunRegistries } from '../definitions/currentDefinitions.ts';
import { createDefinitionKeeper } from '../definitions/keepCurrent.ts';
import { userDefinitionPlaces } from '../definitions/places.ts';
import { PERFORMERS } from '../engine/allPerformers.ts';
import { createOtherRuns } from '../engine/hosts/otherRuns.ts';
import { createAfterRuns } from '../engine/local/afterRuns.ts';
import { createAgentSlots } from '../engine/local/agentSlots.ts';
import { createObserve, observeHere } from '../engine/local/observe.ts';
import { createPerform } from '../engine/local/perform.ts';
import { createRunPlaces, needsOf } from '../engine/local/runPlaces.ts';
import { recallSecrets } from '../engine/performers/recallSecrets.ts';
import { recallOwnPorts } from '../engine/performers/setUpPlace.ts';
import { createBus, type EventBus } from '../events/bus.ts';
import { createWorktreeProgress } from '../events/worktreeProgress.ts';
import { createSessionManager } from '../sessions/manager.ts';
import { createTranscripts } from '../sessions/transcript/transcript.ts';
import { startStatusLine } from '../statusLine/statusLine.ts';
import { saveAttachment } from '../store/sessions.ts';
import { transcriptStore } from '../store/transcripts.ts';
import { createChunkNotices } from './chunkNotices.ts';
import { followOtherHosts } from './followOtherHosts.ts';
import type { Ground } from './ground.ts';
import { openEngine } from './openEngine.ts';
import type { Store } from './openStore.ts';
import { startNotices } from './startNotices.ts';

export type Agents = Awaited<ReturnType<typeof openAgents>>;

/** The engine drives the open runs and their agents. Its news reaches people in tmux and by notices. */
export async function openAgents(ground: Ground, store: Store) {
  const { config, paths, places, faults, lifecycle, logOf } = ground;
  const { database, leadership, here, clock, files, runLog, gitCommands, definitions: stored } = store;
  const { registry } = files;
  const bus = createBus();
  const refusals = createRefusals();
  const { sessions, transcripts, chunkNotices } = createSessions(ground, store, bus);
  const log = logOf('definitions');
  const keeper = createDefinitionKeeper({ files, store: stored, paths, bus, log, openRuns: () => openRuns() });
  const definitions: typeof stored = {
    ...stored,
    getTemplate: (ref) => keeper.lookAgain(() => stored.getTemplate(ref)),
    getPersona: (ref) => keeper.lookAgain(() => stored.getPersona(ref)),
  };
  const after = createAfterRuns({ readRun: (runId) => readRun(runId), bus, log: logOf('engine') });
  lifecycle.hold('predecessors', after.stop);
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
    bus,
    isHere: (run: Run) => isHere(run, here),
    lintKnowledge: () => lintKnowledge(registry, files.current(), config.backends),
    publishing: { ...definitions, places: userDefinitionPlaces(paths), takeUp: keeper.takeUp },
    worktrees: createWorktreeProgress(bus),
    openRuns: () => engine.openRuns(),
    refusedAt: refusals.at,
    agentSlots: createAgentSlots(config.maxConcurrentAgents, bus),
    runPlaces: createRunPlaces({ limit: config.maxConcurrentRuns, bus, after }),
  };
  const registryOf = createRunRegistries(files.registryOf, (runId) => engine.readRun(runId));
  const { engine, shared } = await openEngine(
    {
      ...ports,
      perform: createPerform(PERFORMERS, ports, registryOf),
      observe: observeHere(createObserve(config.git.filters, registryOf), here),
      pool: database.pool,
      life: leadership.epoch,
      beforeAdoption(runs) {
        recallOwnPorts(runs);
        return recallSecrets(runs, ports.log);
      },
    },
    { config, paths, places },
  );
  lifecycle.hold('engine', () => engine.stop());
  // Released before the engine: a delivery that waits for a person ends only with its session.
  lifecycle.hold('sessions', () => sessions.shutdown({ deadlineMs: 4_000 }));
  const others =
    shared && createOtherRuns({ ...ports, hostId: here.id, catchUp: shared.catchUp, drives: shared.drives });
  const openRuns = () => [...engine.openRuns(), ...(others?.openRuns() ?? [])];
  const readRun = async (runId: string) => others?.readRun(runId) ?? engine.readRun(runId);
  const queuedRuns = () => needsOf(ports.runPlaces.queue());
  const { server } = engine;
  const { webhook, tellPerson } = startNotices({
    config,
    paths,
    bus,
    openRuns,
    queuedRuns,
    readRun,
    server,
    database,
    here,
    clock,
    logOf,
    lifecycle,
  });
  const { runs } = await engine.reconcile();
  if (others && shared) await followOtherHosts({ ...ports, others, shared, chunks: chunkNotices, database, lifecycle });
  // Not awaited: the socket need not wait for news.
  void webhook?.catchUp(openRuns());
  const serverAwaySince = () => engine.server()?.away?.since;
  const statusLine = { config, paths, bus, openRuns, queuedRuns, serverAwaySince, log: logOf('statusLine') };
  lifecycle.hold('status line', await startStatusLine(statusLine));
  return {
    ports,
    refusals,
    engine: { ...engine, openRuns, readRun },
    shared,
    transcripts,
    keeper,
    registryOf,
    webhook,
    tellPerson,
    runs,
  };
}

function createSessions({ config, adapters, logOf }: Ground, { database, here }: Store, bus: EventBus) {
  const log = logOf('sessions');
  const chunkNotices = createChunkNotices(database.pool, bus, here.id);
  const transcripts = createTranscripts({
    store: transcriptStore(database.drizzle),
    onAppended(chunk) {
      bus.hint(chunk.runId, { event: 'transcript.chunk_appended', data: chunk });
      if (here.shared) chunkNotices.send(chunk);
    },
    log,
  });
  const sessions = createSessionManager({
    adapters,
    transcripts,
    store: { saveAttachment: (sessionId, handle) => saveAttachment(database.drizzle, sessionId, handle) },
    log,
    sessionDirOf: ({ runId, sessionId }) => join(sessionDir(config.workspaceRoot, runId), sessionId),
  });
  return { sessions, transcripts, chunkNotices };
}
