import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Database, OpenOptions } from '../../../daemon/db/database.ts';
import { findBinaries } from '../../../daemon/db/embedded/binaries.ts';
import { initialise } from '../../../daemon/db/embedded/cluster.ts';
import { serverUser } from '../../../daemon/db/embedded/serverUser.ts';
import { openDatabase } from '../../../daemon/db/open.ts';
import { removeOutside } from '../../../schemas/embeddedServer/clusterHomes.ts';
import { eventually } from '../../helpers/eventually.ts';

export interface Embedded {
  home: string;
  options: OpenOptions;
  pidFile: string;
  /** A database whose server stops after the test. */
  open(over?: Partial<OpenOptions>): Promise<Database>;
  /** Puts a cluster that was never started at `options.dataDir`: initdb takes a second. */
  givenCluster(): void;
  readLog(): string;
}

/** A directory for an embedded database of each test's own. */
export function useEmbedded(): () => Embedded {
  const opened: Database[] = [];
  let pristine: string;
  let here: Embedded;

  beforeAll(async () => {
    const place = mkdtempSync(join(tmpdir(), 'devflow-pristine-'));
    chmodSync(place, 0o711);
    pristine = join(place, 'data');
    const user = serverUser();
    await initialise(pristine, findBinaries(join(place, 'cache'), user), user);
  });
  afterAll(() => rmSync(dirname(pristine), { recursive: true, force: true }));

  beforeEach(() => {
    const home = mkdtempSync(join(tmpdir(), 'devflow-pg-'));
    chmodSync(home, 0o711);
    const options: OpenOptions = {
      mode: 'embedded',
      dataDir: join(home, 'd/data'),
      socketDir: join(home, 's'),
      logFile: join(home, 'postgres.log'),
      binariesCacheDir: join(home, 'cache'),
    };
    here = {
      home,
      options,
      pidFile: join(options.dataDir, 'postmaster.pid'),
      async open(over = {}) {
        const database = await openDatabase({ ...options, ...over });
        opened.push(database);
        return database;
      },
      givenCluster() {
        mkdirSync(dirname(options.dataDir), { recursive: true });
        execFileSync('cp', ['-a', pristine, options.dataDir]);
      },
      readLog: () => readFileSync(options.logFile, 'utf8'),
    };
  });

  afterEach(async () => {
    for (const database of opened.splice(0)) await database.stopServer();
    removeOutside(here.options.dataDir);
    rmSync(here.home, { recursive: true, force: true });
  });

  return () => here;
}

export async function killServer(database: Database): Promise<void> {
  process.kill(database.serverPid as number, 'SIGKILL');
  await eventually(() => expect(() => process.kill(database.serverPid as number, 0)).toThrow());
  await database.close();
}

export const one = async (database: Database) => (await database.pool.query('SELECT 1 AS one')).rows[0].one;
