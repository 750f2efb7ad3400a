import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { DatabaseMode } from '../../schemas/enums.ts';
import { openCompose } from './compose.ts';
import { openEmbedded } from './embedded.ts';
import { openExternal } from './external.ts';
import type * as schema from './schema/index.ts';

export interface OpenOptions {
  mode: DatabaseMode;
  /** postgres://…; needed by `external`, overrides the built-in one of `compose`. */
  url?: string;
  /** Embedded only; absolute. As root the cluster may lie elsewhere, and `dataDir/LOCATION` then says where. */
  dataDir: string;
  /** Embedded only; absolute, for the server alone (not the directory of another socket). */
  socketDir: string;
  /** Embedded only: where the server writes its log; its directory must exist. */
  logFile: string;
  /** Embedded only: where binaries are copied to when the npm package cannot be used in place. */
  binariesCacheDir: string;
  /** Compose only: the docker-compose.yml; found beside the package's package.json when absent. */
  composeFile?: string;
}

export interface Database {
  mode: DatabaseMode;
  /** For further connections of one's own: the leader's, the committer's, a listener's. */
  connection: pg.ClientConfig;
  /** At most 8 connections; int8 arrives as a number. */
  pool: pg.Pool;
  drizzle: NodePgDatabase<typeof schema>;
  /** True when a server that was running already is used. */
  adopted: boolean;
  /** The postmaster of an embedded server. */
  serverPid?: number;
  /** Ends the pool; an embedded server goes on running, to be adopted by the next daemon. */
  close(): Promise<void>;
  /** Ends the pool and stops what `openDatabase` started: the embedded server or the compose service. */
  stopServer(): Promise<void>;
}

/**
 * A usable database, whichever way: starts or adopts the server and proves that it answers. Does not migrate.
 * Throws `db_unreachable` (with the reason and what to do), `disk_full` or `workspace_permissions`.
 */
export function openDatabase(options: OpenOptions): Promise<Database> {
  switch (options.mode) {
    case 'embedded':
      return openEmbedded(options);
    case 'compose':
      return openCompose(options);
    case 'external':
      return openExternal(options);
    default:
      return options.mode satisfies never;
  }
}
