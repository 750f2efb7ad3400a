import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { DatabaseMode } from '../../schemas/enums.ts';
import type { Patience } from './awaitServer.ts';
import type * as schema from './schema/index.ts';

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
