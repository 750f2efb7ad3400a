import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { DatabaseMode } from '../../schemas/enums.ts';
import type { Patience } from './awaitServer.ts';
import { noticeDeadClient } from './connect.ts';
import * as schema from './schema/index.ts';

export interface OpenOptions extends Patience {
  mode: DatabaseMode;
  /** postgres://…; required for `external`, overrides the default of `compose`. */
  url?: string;
  /** Embedded only; absolute. Under root the cluster may be elsewhere; `dataDir/LOCATION` says where. */
  dataDir: string;
  /** Embedded only; absolute; must not contain other sockets. */
  socketDir: string;
  /** Embedded only: where the server writes its log; its directory must exist. */
  logFile: string;
  /** Embedded only: where the binaries are copied if the npm package cannot be used in place. */
  binariesCacheDir: string;
  /** Embedded only: settings of a server that is started, over devflow's own. */
  settings?: Readonly<Record<string, string>>;
  /** Compose only: the docker-compose.yml; default: beside the package's package.json. */
  composeFile?: string;
}

export interface Database {
  mode: DatabaseMode;
  /** For extra connections: of the leader, the committer, a listener. */
  connection: pg.ClientConfig;
  /** At most 8 connections; int8 arrives as a number. */
  pool: pg.Pool;
  drizzle: NodePgDatabase<typeof schema>;
  /** True if the server was already running. */
  adopted: boolean;
  /** The postmaster of an embedded server. */
  serverPid?: number;
  /** Ends the pool. An embedded server keeps running, and the next daemon adopts it. */
  close(): Promise<void>;
  /** Ends the pool and stops what `openDatabase` started: the embedded server or the compose service. */
  stopServer(): Promise<void>;
}

/** Pool and drizzle over a connection. Opens no connection yet. */
export function databaseOver(
  mode: DatabaseMode,
  connection: pg.ClientConfig,
  server: { adopted: boolean; serverPid?: number; stop(): Promise<void> },
): Database {
  // One stays: a new connection must read the catalogue before its first answer. Each takes 3 MB.
  const pool = new pg.Pool({ ...connection, max: 8, min: 1, idleTimeoutMillis: 10_000, onConnect: noticeDeadClient });
  // Without a listener a dead idle connection ends the process. The pool replaces it.
  pool.on('error', () => {});
  // The same for a connection in use: its query rejects.
  pool.on('connect', (client) => client.on('error', () => {}));
  let ending: Promise<void> | undefined;
  const close = () => {
    ending ??= pool.end();
    return ending;
  };
  return {
    mode,
    connection,
    pool,
    drizzle: drizzle(pool, { schema }),
    adopted: server.adopted,
    serverPid: server.serverPid,
    close,
    async stopServer() {
      await close();
      await server.stop();
    },
  };
}
