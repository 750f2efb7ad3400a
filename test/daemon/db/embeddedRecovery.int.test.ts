import { mkdirSync, readFileSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { stopDatabase } from '../../../cli/daemon/stopDaemon.ts';
import type { Database } from '../../../daemon/db/database.ts';
import { openExternal } from '../../../daemon/db/external.ts';
import { lookForEmbedded } from '../../../daemon/doctor/probe/embeddedProbe.ts';
import { isServerOf } from '../../../schemas/embeddedServer/postmasterFile.ts';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { isAlive, isStopped } from '../../../schemas/process/processes.ts';
import { eventually } from '../../helpers/eventually.ts';
import { one, useEmbedded } from './givenEmbedded.ts';

const embedded = useEmbedded();
const stopped: number[] = [];

afterEach(() => {
  for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT');
});

/** As the OOM killer does. Postgres then ends all connections and recovers, which what was written before prolongs. */
async function killBackend({ pool }: Database): Promise<void> {
  await pool.query('CREATE TABLE IF NOT EXISTS written (text text)');
  await pool.query(`INSERT INTO written SELECT repeat('x', 1000) FROM generate_series(1, 20000)`);
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0].pid, 'SIGKILL');
  await eventually(() => expect(embedded().readLog()).toContain(`process (PID ${rows[0].pid}) was terminated`));
}

async function stopBackend({ pool }: Database): Promise<void> {
  const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
  stopped.push(rows[0].pid);
  await stopProcess(rows[0].pid);
}

async function stopProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await eventually(() => expect(isStopped(pid)).toBe(true));
}

/** Postgres waits for a stopped backend as it waits for a checkpointer that it did not tell to end. */
async function askToStop({ serverPid }: Database, pidFile = embedded().pidFile): Promise<void> {
  process.kill(serverPid as number, 'SIGINT');
  await eventually(() => expect(readFileSync(pidFile, 'utf8')).toContain('stopping'));
}

function urlOf({ connection: { host, port } }: Database): string {
  return `postgres://devflow@/postgres?host=${encodeURIComponent(String(host))}&port=${port}`;
}

/** The pid file says since when the server stops. */
function longAgo(pidFile = embedded().pidFile): void {
  utimesSync(pidFile, 0, 0);
}

test('waits for the recovery after a backend was killed', async () => {
  const { givenCluster, open } = embedded();
  givenCluster();
  let database = await open();
  for (const time of [1, 2, 3]) {
    await killBackend(database);
    await database.close();
    const again = await open();
    expect(again).toMatchObject({ adopted: true, serverPid: database.serverPid });
    expect((await again.pool.query('SELECT count(*) FROM written')).rows[0].count).toBe(20_000 * time);
    database = again;
  }
});

test('waits for the recovery of a server that it does not run', async () => {
  const { givenCluster, open } = embedded();
  givenCluster();
  const database = await open();
  await killBackend(database);
  const external = await openExternal({ url: urlOf(database) });
  expect(await one(external)).toBe(1);
  await external.close();
});

test('replaces a server that was asked to stop while it recovered, and never will', async () => {
  const { givenCluster, open, readLog } = embedded();
  givenCluster();
  const stuck = await open();
  await killBackend(stuck);
  await eventually(() => expect(readLog()).toContain('reinitializing'));
  await askToStop(stuck);
  await stuck.close();
  longAgo();
  const database = await open();
  expect(database.adopted).toBe(false);
  expect((await database.pool.query('SELECT count(*) FROM written')).rows[0].count).toBe(20_000);
});

test('replaces a server that waits for a stopped process', async () => {
  const { givenCluster, open } = embedded();
  givenCluster();
  const stuck = await open();
  await stopBackend(stuck);
  await askToStop(stuck);
  const closed = stuck.close();
  longAgo();
  const database = await open();
  expect(database.adopted).toBe(false);
  expect(isAlive(stopped.pop() as number)).toBe(false);
  expect(await one(database)).toBe(1);
  await closed;
});

test('continues a stopped server, and ends one', async () => {
  const { givenCluster, open, options } = embedded();
  givenCluster();
  const first = await open();
  await stopProcess(first.serverPid as number);
  const second = await open();
  expect(second).toMatchObject({ adopted: true, serverPid: first.serverPid });
  await stopProcess(first.serverPid as number);
  await second.stopServer();
  expect(isServerOf(first.serverPid as number, options.dataDir)).toBe(false);
});

test('says that a server is not ready, to the doctor too', async () => {
  const { givenCluster, home, open, options } = embedded();
  givenCluster();
  const database = await open();
  await stopBackend(database);
  await askToStop(database);
  const paths = { ...resolvePaths({ HOME: home, DEVFLOW_HOME: home }), postgresData: options.dataDir };
  expect(await lookForEmbedded(paths)).toEqual({
    state: 'down',
    detail: `embedded in ${options.dataDir}, not ready: the database system is shutting down (devflow up waits for it)`,
  });
  await expect(openExternal({ url: urlOf(database), patienceMs: 0 })).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringMatching(/ is not ready: the database system is shutting down\.$/),
    recoveryHint: expect.stringContaining('devflow up waits until it is.'),
  });
});

test('down ends a server that was asked to stop while it recovered, in a home behind a link', async () => {
  const { givenCluster, home, open, options, readLog } = embedded();
  const env = { HOME: home, DEVFLOW_HOME: join(home, 'link') };
  mkdirSync(join(home, 'real'));
  symlinkSync('real', env.DEVFLOW_HOME);
  givenCluster();
  const dataDir = resolvePaths(env).postgresData;
  mkdirSync(dirname(dataDir), { recursive: true });
  renameSync(options.dataDir, dataDir);
  const database = await open({ dataDir });
  await killBackend(database);
  await eventually(() => expect(readLog()).toContain('reinitializing'));
  const pidFile = join(dataDir, 'postmaster.pid');
  await askToStop(database, pidFile);
  longAgo(pidFile);
  expect(await stopDatabase(env)).toBe(true);
  expect(isServerOf(database.serverPid as number, dataDir)).toBe(false);
  expect(await stopDatabase(env)).toBe(false);
});
