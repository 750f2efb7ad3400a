import { existsSync, mkdirSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../daemon/db/migrate.ts';
import { type Database, openDatabase } from '../../../daemon/db/open.ts';
import { runDoctorStandalone } from '../../../daemon/doctor/standalone.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { MIGRATIONS_DIR } from '../../helpers/globalPostgres.ts';
import { useMachine } from './givenMachine.ts';

const machine = useMachine();
let server: Database | undefined;
afterEach(async () => {
  await server?.stopServer();
  server = undefined;
});

async function givenServer(): Promise<Database> {
  const paths = resolvePaths(machine().env);
  mkdirSync(paths.stateDir, { recursive: true, mode: 0o711 });
  server = await openDatabase({
    mode: 'embedded',
    dataDir: paths.postgresData,
    socketDir: paths.postgresSocketDir,
    logFile: paths.databaseLog,
    binariesCacheDir: paths.binariesCache,
  });
  return server;
}

const looked = async (strict = false) => {
  const { database, migrations } = await machine().doctor({ strict });
  return { database, migrations };
};

describe('the doctor on the embedded database', () => {
  it('makes no files', async () => {
    await looked();
    expect(existsSync(join(machine().home, 'data'))).toBe(false);
  });

  it('reports pending migrations, then none, then a stopped server', async () => {
    const database = await givenServer();
    expect(await looked()).toMatchObject({
      database: { status: 'pass', detail: expect.stringContaining(`pid ${database.serverPid}`) },
      migrations: {
        status: 'fail',
        detail: expect.stringMatching(/^\d+ migrations? (?:is|are) pending$/),
        remediation: 'Run devflow up.',
      },
    });
    await migrate(database, MIGRATIONS_DIR);
    expect(await looked(true)).toMatchObject({ database: { status: 'pass' }, migrations: { status: 'pass' } });
    await database.stopServer();
    expect(await looked()).toMatchObject({
      database: { status: 'pass', detail: expect.stringContaining('not started') },
      migrations: { status: 'pass' },
    });
    expect(await looked(true)).toMatchObject({ database: { status: 'fail' }, migrations: { status: 'fail' } });
  });

  it('fails for a damaged control file and says what to do', async () => {
    const database = await givenServer();
    await database.stopServer();
    truncateSync(join(resolvePaths(machine().env).postgresData, 'global/pg_control'), 100);
    expect(await looked()).toMatchObject({
      database: {
        status: 'fail',
        detail: expect.stringContaining('global/pg_control has 100 bytes instead of 8192'),
        remediation: expect.stringContaining('from a backup'),
      },
    });
  });

  it('reports a killed server and removes nothing', async () => {
    const database = await givenServer();
    await database.close();
    process.kill(database.serverPid as number, 'SIGKILL');
    await expect
      .poll(async () => (await looked()).database)
      .toMatchObject({ status: 'pass', detail: expect.stringContaining('was killed') });
    await givenServer();
  });
});

describe('orphaned worktrees', () => {
  it('are listed and never removed, if the database knows the runs', async () => {
    const here = machine();
    const request = { strict: false, listOrphans: true };
    await expect(runDoctorStandalone(request, here.env)).rejects.toMatchObject({ code: 'db_unreachable' });
    await migrate(await givenServer(), MIGRATIONS_DIR);
    const orphan = join(here.home, 'data', 'workspaces', '5f0c1c1e-5a44-4d3e-9f39-0d6f7a3b2c10');
    mkdirSync(join(orphan, 'main'), { recursive: true });
    mkdirSync(join(here.home, 'data', 'workspaces', 'mine'));
    expect(await runDoctorStandalone(request, here.env)).toMatchObject([{ status: 'warn', detail: orphan }]);
    expect(readdirSync(orphan)).toEqual(['main']);
  });
});
