import type { Config } from '../../schemas/config/config.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { Leadership } from '../db/leader.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { leadMigrated } from './lead.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { PackagePlaces } from './places.ts';

export interface LeaderDatabase {
  database: Database;
  /** As `leadMigrated`. */
  lead(options: Parameters<typeof leadMigrated>[1]): Promise<Leadership>;
}

/**
 * Opens the database. At the end it stops the server only if this daemon leads, or started the server while nobody led: a
 * second daemon must not stop the server of the first.
 */
export async function openDatabaseForLeader(
  config: Config,
  paths: Paths,
  places: PackagePlaces,
  lifecycle: Lifecycle,
): Promise<LeaderDatabase> {
  const opening = open(config, paths, places);
  /** Undefined until we know who leads. */
  let ours: boolean | undefined;
  lifecycle.hold('database', async () => {
    const database = await opening.catch(() => undefined);
    const mayStop = ours ?? !database?.adopted;
    await (mayStop ? database?.stopServer() : database?.close());
  });
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

function open(config: Config, paths: Paths, places: PackagePlaces): Promise<Database> {
  const { mode, url } = config.database;
  return openDatabase({
    mode,
    url,
    dataDir: paths.postgresData,
    socketDir: paths.postgresSocketDir,
    logFile: paths.databaseLog,
    binariesCacheDir: paths.binariesCache,
    composeFile: places.composeFile,
  });
}
