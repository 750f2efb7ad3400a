import { existsSync, mkdirSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../daemon/db/database.ts';
import { migrate } from '../../../daemon/db/migrate.ts';
import { openDatabase } from '../../../daemon/db/open.ts';
import { runDoctorStandalone } from '../../../daemon/doctor/standalone.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { MIGRATIONS_DIR } from '../../helpers/globalPostgres.ts';
import { useDatabase } from '../../helpers/postgres.ts';
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

  it('passes a new database, reports pending migrations, then none, then a stopped server', async () => {
    const database = await givenServer();
    expect(await looked()).toMatchObject({
      database: { status: 'pass', detail: expect.stringContaining(`pid ${database.serverPid}`) },
      migrations: { status: 'pass', detail: 'the database is new (devflow up makes its tables)' },
    });
    await migrate(database, MIGRATIONS_DIR);
    await database.pool.query('DELETE FROM drizzle.__drizzle_migrations WHERE id = 1');
    expect(await looked()).toMatchObject({
      migrations: { status: 'fail', detail: '1 migration is pending', remediation: 'Run devflow up.' },
    });
    await database.pool.query('DELETE FROM drizzle.__drizzle_migrations');
    expect(await looked()).toMatchObject({
      migrations: { status: 'fail', detail: expect.stringContaining('has lost its entries') },
    });
    await database.pool.query('DROP SCHEMA drizzle CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public');
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

describe('the doctor before the first start on an external database', () => {
  const db = useDatabase({ empty: true });
  const check = (over: Record<string, string> = {}) => {
    const { host = '', port = 0, user = '', database = '' } = db().connection;
    const query = new URLSearchParams({ host, port: String(port), user, ...over });
    const url = `postgres:///${database}?${query}`;
    return machine().doctor({ env: { ...machine().env, DEVFLOW_DB: 'external', DEVFLOW_DATABASE_URL: url } });
  };

  it('fails for nothing of the database', async () => {
    const checks = await check();
    const mine = ['database', 'migrations', 'workspace', 'devflow-directory', 'config', 'disk'];
    expect(mine.map((name) => [name, checks[name]?.status])).toEqual(mine.map((name) => [name, 'pass']));
  });

  it('names the rights that the role lacks', async () => {
    const role = `limited_${process.pid}`;
    await db().pool.query(`CREATE ROLE ${role}; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    expect((await check({ options: `-c role=${role}` })).migrations).toMatchObject({
      status: 'fail',
      detail: `role ${role} may not make tables`,
      remediation: expect.stringMatching(/GRANT CREATE ON DATABASE .*; GRANT CREATE ON SCHEMA public TO /),
    });
    await db().pool.query(`DROP ROLE ${role}`);
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
