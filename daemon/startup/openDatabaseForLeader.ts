import type { Config } from '../../schemas/config/config.ts';
import { END_SERVER_MS } from '../../schemas/embeddedServer/endServer.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { Patience } from '../db/awaitServer.ts';
import type { Database } from '../db/database.ts';
import type { Leadership } from '../db/leader.ts';
import { openDatabase } from '../db/open.ts';
import type { PackagePlaces } from '../definitions/places.ts';
import { leadMigrated } from './lead.ts';
import type { Lifecycle } from './lifecycle.ts';

const CLOSE_POOL_MS = 5_000;

export interface LeaderDatabase {
  database: Database;
  /** As `leadMigrated`. */
  lead(options: Parameters<typeof leadMigrated>[1]): Promise<Leadership>;
}

/**
 * Opens the database. At the end it stops the server only if this daemon leads, or started the server while nobody led. A
 * second daemon must not stop the server of the first.
 */
export async function openDatabaseForLeader(
  config: Config,
  paths: Paths,
  places: PackagePlaces,
  lifecycle: Lifecycle,
  patience: Patience,
): Promise<LeaderDatabase> {
  const ending = new AbortController();
  const opening = open(config, paths, places, { ...patience, signal: ending.signal });
  /** Undefined until we know who leads. */
  let ours: boolean | undefined;
  const release = async () => {
    ending.abort();
    const database = await opening.catch(() => undefined);
    const mayStop = ours ?? !database?.adopted;
    await (mayStop ? database?.stopServer() : database?.close());
  };
  // A server that nobody waits for could hang in its shutdown for ever.
  lifecycle.hold('database', release, CLOSE_POOL_MS + END_SERVER_MS);
  const database = await opening;
  return {
    database,
    async lead(options) {
      try {
        const leadership = await leadMigrated(database, options);
        ours = true;
        return leadership;
      } catch (error) {
        if (error instanceof DevflowError && error.code === 'daemon_running') ours = false;
        throw error;
      }
    },
  };
}

function open(config: Config, paths: Paths, places: PackagePlaces, patience: Patience): Promise<Database> {
  const { mode, url } = config.database;
  return openDatabase({
    ...patience,
    mode,
    url,
    dataDir: paths.postgresData,
    socketDir: paths.postgresSocketDir,
    logFile: paths.databaseLog,
    binariesCacheDir: paths.binariesCache,
    composeFile: places.composeFile,
  });
}
