import type { Config } from '../../schemas/config/config.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { Leadership } from '../db/leader.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { leadMigrated } from './lead.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { PackagePlaces } from './places.ts';

export interface HeldDatabase {
  database: Database;
  /** As `leadMigrated`. */
  lead(options: Parameters<typeof leadMigrated>[1]): Promise<Leadership>;
}

/**
 * Opens the database, held from the first moment on. At the end the server is stopped only by who leads, or by who
 * started it and found nobody leading: a daemon that comes second must not stop it under the first.
 */
export async function openHeld(
  config: Config,
  paths: Paths,
  places: PackagePlaces,
  lifecycle: Lifecycle,
): Promise<HeldDatabase> {
  const opening = open(config, paths, places);
  /** Undefined until it is known who leads. */
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
