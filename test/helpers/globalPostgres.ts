import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { connectionConfig } from '../../daemon/db/connect.ts';
import { databaseOver } from '../../daemon/db/database.ts';
import { migrate } from '../../daemon/db/migrate.ts';
import { openDatabase } from '../../daemon/db/open.ts';
import { clustersOf } from './leaks.ts';
import { memoryDirectory } from './memoryDirectory.ts';

/** The address of the tests' server, and the migrated database that each test copies. */
export interface TestServer {
  host: string;
  port: number;
  user: string;
  template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer;
  }
}

export const MIGRATIONS_DIR = join(import.meta.dirname, '../../daemon/db/migrations');
const TEMPLATE = 'devflow_template';
/** Its data need not survive a crash, and each worker has several daemons. Tests of the embedded database have their own servers. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: '200' };

/** One real server for all tests, started by the code under test and removed afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const before = clustersOf(realpathSync(tmpdir()));
  const home = mkdtempSync(join(memoryDirectory() ?? tmpdir(), 'devflow-test-'));
  // As root, the server runs as another user, who must be able to enter.
  chmodSync(home, 0o711);
  const server = await openDatabase({
    mode: 'embedded',
    dataDir: join(home, 'data'),
    socketDir: join(home, 's'),
    logFile: join(home, 'postgres.log'),
    binariesCacheDir: join(home, 'cache'),
    settings: SETTINGS,
  });
  await server.pool.query(`CREATE DATABASE ${TEMPLATE}`);
  const template = databaseOver('embedded', connectionConfig({ ...server.connection, database: TEMPLATE }), {
    adopted: true,
    stop: async () => {},
  });
  await migrate(template, MIGRATIONS_DIR);
  await template.close();
  const { host, port, user } = server.connection as TestServer;
  project.provide('postgres', { host, port, user, template: TEMPLATE });
  return async () => {
    await server.stopServer();
    rmSync(home, { recursive: true, force: true });
    const left = clustersOf(realpathSync(tmpdir())).filter((place) => !before.includes(place));
    if (left.length === 0) return;
    // Vitest only prints what a teardown throws.
    process.exitCode = 1;
    throw new Error(`tests left databases behind: ${left.join(', ')}`);
  };
}
