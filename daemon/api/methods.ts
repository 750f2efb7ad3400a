import type { Config } from '../../schemas/config/config.ts';
import type { Definitions as DefinitionFiles } from '../../schemas/definitions/definitions.ts';
import type { Registry } from '../../schemas/definitions/registry.ts';
import type { Backend } from '../../schemas/enums.ts';
import type { RefusedDecision } from '../../schemas/rpc/views/approval.ts';
import type { ContractPorts } from '../contracts/contractPorts.ts';
import { type Here, isHere } from '../core/run/place.ts';
import type { Database } from '../db/database.ts';
import type { Publishing } from '../definitions/factory/publishing.ts';
import type { AgentSlots } from '../engine/local/agentSlots.ts';
import type { RunPlaces } from '../engine/local/runPlaces.ts';
import type { Subscriptions } from '../events/subscriptions.ts';
import type { WorktreeProgress } from '../events/worktreeProgress.ts';
import { countEnds } from '../repository/ends/countEnds.ts';
import type { Handlers, HandlersOf } from '../rpc/handlers.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { SessionAdapter } from '../sessions/contract/adapter.ts';
import type { SessionManager } from '../sessions/manager.ts';
import type { Definitions, LookAgain } from '../store/definitions.ts';
import { basesIn, endedRunsIn } from '../store/endedRuns.ts';
import { hostReadsOf } from '../store/hosts.ts';
import type { Lists } from '../store/lists.ts';
import { listLoops, readLoop } from '../store/loops.ts';
import { createSchedules } from '../store/schedules.ts';
import { systemClock } from '../system/clock.ts';
import { createApprovalMethods } from './approvals/approvalMethods.ts';
import { createArtifactMethods } from './artifacts/artifactMethods.ts';
import { createBacktestMethods } from './backtest/backtestMethods.ts';
import type { Tries } from './backtest/tryObjective.ts';
import { createContractHandlers } from './contracts/contractHandlers.ts';
import { createDaemonMethods, type DaemonParts } from './daemon/daemonMethods.ts';
import { createDefinitionMethods } from './definitions/definitionMethods.ts';
import { createLinters } from './definitions/linters.ts';
import { createPromote } from './definitions/promoter.ts';
import { createPublishPersona } from './definitions/publishPersona.ts';
import { createValidators } from './definitions/validators.ts';
import { createEventMethods } from './events/eventMethods.ts';
import { createHostMethods } from './hosts/hostMethods.ts';
import { type HostOverview, hostOverviewOf } from './hosts/hostSentence.ts';
import { atTheirHosts, createRoute, type HostPorts, type Route, routeAlone } from './hosts/route.ts';
import { type Ids, runNamed } from './lookup/ids.ts';
import { listFilterOf } from './lookup/listFilterOf.ts';
import { createMessageMethods } from './messages/messageMethods.ts';
import type { SetupTries } from './repositories/initRepository.ts';
import { createRepositoryMethods, type RepositoryParts } from './repositories/repositoryMethods.ts';
import { createRunMethods, type RunParts } from './runs/runMethods.ts';
import { createRunReads } from './runs/runReads.ts';
import { createScheduleMethods } from './schedules/scheduleMethods.ts';
import { createSessionMethods } from './sessions/sessionMethods.ts';
import { createSessionReads } from './sessions/sessionReads.ts';

/** The parts of the daemon that the methods need. */
export interface ApiParts extends Omit<RunParts, 'reads' | 'database' | 'listEnded' | 'readBases'> {
  ids: Ids;
  database: Database;
  lists: Lists;
  definitions: Definitions;
  registry: Registry;
  current(): DefinitionFiles;
  lookAgain: LookAgain;
  config: Pick<Config, 'backends' | 'workspaceRoot'>;
  publishing: Publishing;
  tries: Pick<Tries, 'tryObjective'>;
  worktrees: Pick<WorktreeProgress, 'read' | 'readCopies'>;
  agentSlots: Pick<AgentSlots, 'listWaiting' | 'counts'>;
  runPlaces: Pick<RunPlaces, 'queue' | 'counts'>;
  manager: SessionManager;
  adapters: Partial<Record<Backend, SessionAdapter>>;
  subscriptions: Subscriptions;
  contracts: ContractPorts;
  repositories: RepositoryParts & Pick<SetupTries, 'initRepository'>;
  scheduler: Pick<Scheduler, 'wake' | 'runNow'>;
  daemon: Pick<
    DaemonParts,
    'version' | 'socketPath' | 'startedAt' | 'problems' | 'settings' | 'stop' | 'doctor' | 'webhookStatus'
  >;
  /** The host of this daemon. */
  here: Here;
  /** Absent: devflow works on this host alone. */
  hosts?: HostPorts;
  refusedAt(approvalId: string): RefusedDecision[];
  /** The artifact schemas of a run. */
  registryOf(runId: string): Promise<Registry>;
  onTranscriptRead(sessionId: string): void;
}

/** Every method of devflow, on the host that it is about. A method that no room answers does not compile. */
export function createMethods(parts: ApiParts): Handlers {
  const { hosts } = parts;
  const route = hosts ? createRoute(hosts, { ids: parts.ids, runOf: parts.lists.runOf }) : routeAlone(parts.here);
  return atTheirHosts(ownMethods(parts, route), route);
}

/** How long a status waits for the sizes of worktrees. */
const COUNTING_MS = 500;

/** For a daemon that shares its database with no other. It reads no hosts. */
const ALONE: HostOverview = { hasOthers: false, troubles: new Map() };

function ownMethods(parts: ApiParts, route: Route): Handlers {
  const { engine, database, lists, registry, current, daemon, agentSlots, runPlaces, config, here, publishing } = parts;
  const hostReads = hostReadsOf(database.pool);
  const schedules = createSchedules(database.pool);
  const readHostOverview = here.shared ? hostOverviewOf(hostReads.listHosts) : async () => ALONE;
  const runs = createRunReads({ ...parts, readHostOverview });
  const sessions = createSessionReads(parts);
  const validators = createValidators(registry, current, config.backends);
  const promote = createPromote({ registry, current, publishing, backends: config.backends });
  const linters = createLinters(registry, current, config.backends);
  const publishPersona = createPublishPersona(linters, publishing);
  return {
    ...createRunMethods({
      ...parts,
      reads: runs,
      listEnded: endedRunsIn(database.pool),
      readBases: basesIn(database.pool),
    }),
    ...createApprovalMethods(parts),
    ...createSessionMethods({ ...parts, runs, reads: sessions, route }),
    ...createMessageMethods(parts),
    ...createScheduleMethods({ ...parts, schedules, clock: systemClock }),
    ...createBacktestMethods({
      ...parts,
      listLoops: (limit) => listLoops(database.pool, limit),
      readLoop: (runId) => readLoop(database.pool, runId),
      tryObjective: parts.tries.tryObjective,
    }),
    ...createArtifactMethods({ ...parts, validators }),
    ...createDefinitionMethods({ ...parts, validators, linters, promote, publishPersona }),
    ...createContractHandlers(parts.contracts),
    ...createRepositoryMethods(parts.repositories),
    'repository.init': parts.repositories.initRepository,
    ...createListMethods(parts),
    ...createHostMethods({ ...parts, ...hostReads }),
    ...createEventMethods(parts),
    ...createDaemonMethods({
      ...daemon,
      database,
      lists,
      adoptionCounts: engine.adoptionCounts,
      openRuns: engine.openRuns,
      agentSlots,
      runPlaces,
      here,
      listSchedules: () => schedules.list({ host: here.id, isUnpinned: here.id === here.unpinned }),
      listHosts: hostReads.listHosts,
      server: engine.server,
      countEnds: async () =>
        countEnds(
          (await endedRunsIn(database.pool)({})).filter((run) => isHere(run, here)),
          COUNTING_MS,
        ),
    }),
  };
}

function createListMethods({
  ids,
  lists,
}: {
  ids: Pick<Ids, 'run'>;
  lists: Pick<Lists, 'countListed'>;
}): HandlersOf<'list'> {
  return {
    'list.count': async ({ of, runId, state, all, ...asked }) => {
      const run = await runNamed(ids, runId);
      return { total: await lists.countListed(of, { runId: run, state, all, ...(await listFilterOf(asked)) }) };
    },
  };
}
