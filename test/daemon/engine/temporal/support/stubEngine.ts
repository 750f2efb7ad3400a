import type pg from 'pg';
import { boundWorktree } from '../../../../../daemon/core/run/worktreeState.ts';
import { createCommitter } from '../../../../../daemon/db/committer.ts';
import { connectionConfig } from '../../../../../daemon/db/connect.ts';
import { databaseOver } from '../../../../../daemon/db/database.ts';
import { takeLeadership } from '../../../../../daemon/db/leader.ts';
import { PERFORMERS } from '../../../../../daemon/engine/allPerformers.ts';
import { createAgentSlots } from '../../../../../daemon/engine/local/agentSlots.ts';
import { createEngine } from '../../../../../daemon/engine/local/engine.ts';
import type { Perform } from '../../../../../daemon/engine/local/perform.ts';
import type { RunEngine } from '../../../../../daemon/engine/runEngine.ts';
import { openTemporalEngine } from '../../../../../daemon/engine/temporal/engine.ts';
import { createBus, type EventBus } from '../../../../../daemon/events/bus.ts';
import { createRunLog, type RunLog } from '../../../../../daemon/store/runLog.ts';
import { systemClock } from '../../../../../daemon/system/clock.ts';
import { noFaults } from '../../../../../daemon/system/faults.ts';
import { silent } from '../../local/support/performing.ts';
import { givenPlaces } from '../../local/support/places.ts';
import { temporalSettings } from './temporalPlace.ts';

/** Where the engine's runs are, and the Temporal server that drives them; without one the local engine does. */
export interface StubPlace {
  connection: pg.ClientConfig;
  temporal?: { address: string; namespace: string; packages: string; workflow: string };
  /** Default: an engine that loses the lease ends the process. */
  onLost?(): void;
}

export interface StubEngine {
  engine: RunEngine;
  runLog: RunLog;
  bus: EventBus;
  /** Stops in order, as a daemon does. */
  close(): Promise<void>;
}

const HOST = 'h1';

/** A real engine on a real database, whose effects `perform` does in place of agents and git. */
export async function openStubEngine(
  { connection, temporal, onLost = () => process.exit(1) }: StubPlace,
  performOn: (runLog: RunLog) => Perform,
): Promise<StubEngine> {
  const database = databaseOver('external', connectionConfig(connection), { adopted: true, stop: async () => {} });
  const leadership = await takeLeadership(database, { host: HOST, shared: temporal !== undefined, onLost });
  const committer = createCommitter(database.connection, leadership);
  const runLog = createRunLog(database.pool, committer);
  const bus = createBus();
  const options = {
    runLog,
    bus,
    clock: systemClock,
    faults: noFaults,
    log: { ...silent, trace() {} },
    agentSlots: createAgentSlots(64, bus),
    runPlaces: givenPlaces(64, bus),
    perform: performOn(runLog),
    sessions: {
      onLost: () => () => {},
      onStall: () => () => {},
      stallOf: () => undefined,
      probe: async () => ({ alive: true, paneActive: false }),
      ensure: async ({ sessionId }: { sessionId: string }) => ({ sessionId }),
      endAgents: async () => {},
      typedOf: () => 'nothing' as const,
    },
    observe: async (_run: unknown, { subject }: { subject: unknown }) => {
      const worktree = boundWorktree(subject as Record<string, unknown>);
      return { ...(worktree ? { worktree } : {}), commits: [], lostArtifacts: [] };
    },
  };
  const engine = temporal
    ? await openTemporalEngine({
        ...options,
        ...temporal,
        settings: temporalSettings(temporal),
        pool: database.pool,
        here: { id: HOST, shared: true, unpinned: HOST },
        life: leadership.epoch,
        performers: PERFORMERS,
      })
    : createEngine(options);
  return {
    engine,
    runLog,
    bus,
    async close() {
      await engine.stop();
      await committer.close();
      await leadership.release();
      await database.close();
    },
  };
}
