import { mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { openDatabase } from '../../daemon/db/open.ts';
import { NAMESPACE, startTemporalServer, type TemporalServer } from '../helpers/temporalServer.ts';
import { endAtSignal } from './endings.ts';
import { type Place, withPlace } from './place.ts';
import { listProcesses } from './processes.ts';

export type Engine = 'local' | 'temporal';

/** A devflow on one of the engines. Both use an external Postgres, which `engine: temporal` needs. */
export interface EnginePlace extends Place {
  pool: pg.Pool;
  /** Absent: the local engine. */
  server?: BenchServer;
}

/** A Temporal server of the benchmark's own. */
export interface BenchServer extends TemporalServer {
  pid(): number;
  historyOf(runId: string): Promise<History>;
}

interface History {
  events: number;
  bytes: number;
  /** How many effects were begun. */
  effects: number;
}

const PREFIX = 'bench';

/** Lends one. `tools`: the directory with the server and the packages of the tests. */
export function withEngine<T>(
  engine: Engine,
  tools: string,
  variables: Record<string, string>,
  use: (place: EnginePlace) => Promise<T>,
): Promise<T> {
  return withPlace(
    async (place) => {
      const { home, env, paths } = place;
      mkdirSync(dirname(paths.temporalPackages), { recursive: true, mode: 0o711 });
      mkdirSync(join(home, 'database'), { mode: 0o711 });
      const database = await openDatabase({
        mode: 'embedded',
        dataDir: join(home, 'database', 'postgres'),
        socketDir: join(home, 's'),
        logFile: join(home, 'postgres.log'),
        binariesCacheDir: paths.binariesCache,
      });
      const { host = '', port = 5432, user = '', database: name = '' } = database.connection;
      const query = new URLSearchParams({ host, port: String(port), user });
      Object.assign(env, { DEVFLOW_DB: 'external', DEVFLOW_DATABASE_URL: `postgres:///${name}?${query}` });
      let server: BenchServer | undefined;
      const end = async () => {
        await place.devflow('down').catch(() => {});
        await server?.kill();
        await database.stopServer();
      };
      const ended = endAtSignal(end);
      try {
        if (engine === 'temporal') {
          symlinkSync(join(tools, 'packages'), paths.temporalPackages);
          server = await openServer(tools, home);
          Object.assign(env, {
            DEVFLOW_ENGINE: 'temporal',
            DEVFLOW_TEMPORAL_ADDRESS: server.address,
            DEVFLOW_TEMPORAL_NAMESPACE: NAMESPACE,
            DEVFLOW_TEMPORAL_PREFIX: PREFIX,
          });
        }
        return await use({ ...place, pool: database.pool, ...(server && { server }) });
      } finally {
        await end();
        ended();
      }
    },
    () => ({ ...variables }),
  );
}

async function openServer(tools: string, home: string): Promise<BenchServer> {
  const server = await startTemporalServer(join(tools, 'temporal'), home);
  const require = createRequire(join(tools, 'packages', 'package.json'));
  const [, port] = server.address.split(':');
  return {
    ...server,
    pid() {
      const found = listProcesses().find(
        ({ command }) => command.includes('start-dev') && command.includes(`--port ${port}`),
      );
      if (!found) throw new Error('the Temporal server does not run');
      return found.pid;
    },
    async historyOf(runId) {
      const { Client, Connection } = require('@temporalio/client');
      const connection = await Connection.connect({ address: server.address });
      try {
        const handle = new Client({ connection, namespace: NAMESPACE }).workflow.getHandle(`${PREFIX}-run-${runId}`);
        const [{ historyLength, historySize }, { events }] = await Promise.all([
          handle.describe(),
          handle.fetchHistory(),
        ]);
        const isBegun = (event: object) => (event as Record<string, unknown>).activityTaskScheduledEventAttributes;
        return { events: historyLength, bytes: historySize, effects: events.filter(isBegun).length };
      } finally {
        await connection.close();
      }
    },
  };
}
