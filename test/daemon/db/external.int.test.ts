import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { awaitServer } from '../../../daemon/db/awaitServer.ts';
import { openExternal } from '../../../daemon/db/external.ts';
import { openDatabase } from '../../../daemon/db/open.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startTransactionPooler } from '../../helpers/transactionPooler.ts';

const nothing = { dataDir: '/unused', socketDir: '/unused', logFile: '/unused', binariesCacheDir: '/unused' };
const external = (url: string) => openDatabase({ ...nothing, mode: 'external', url });
/** As the doctor does, it asks once. */
const askOnce = (url: string) => openExternal({ url, patienceMs: 0 });

/** The tests' server by URL: the host part of a socket is its directory. */
function url(database: string): string {
  const { host, port, user } = inject('postgres');
  return `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

afterEach(() => void vi.unstubAllEnvs());

test('opens a database by URL', async () => {
  const database = await external(url('postgres'));
  expect(database).toMatchObject({ mode: 'external', adopted: true });
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await database.stopServer();
  await (await external(url('postgres'))).close();
});

test('names the fault: no URL, no such database, no such user, no server', async () => {
  await expect(external('')).rejects.toMatchObject({ code: 'config_invalid' });
  await expect(external(url('absent'))).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringContaining('does not exist'),
  });
  const stranger = url('postgres').replace('//devflow@', '//stranger@');
  await expect(external(stranger)).rejects.toMatchObject({ message: expect.stringContaining('refused the user') });
  const closed = createServer().listen(0, '127.0.0.1');
  await eventually(() => expect(closed.listening).toBe(true));
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  await expect(askOnce(`postgres://me:secret@127.0.0.1:${port}/mine`)).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringMatching(`^The database 127.0.0.1:${port}/mine cannot be reached: .*ECONNREFUSED`),
    recoveryHint: 'Check that it runs and that the URL is right.',
  });
});

test('refuses a pooler in transaction mode, which shares one session among its clients', async () => {
  const port = await startTransactionPooler(inject('postgres'), 'postgres');
  const pooled = new pg.Pool({ host: '127.0.0.1', port, user: 'devflow', database: 'postgres', max: 2 });
  const backends = await Promise.all([1, 2].map(() => pooled.query('SELECT pg_backend_pid() AS pid, pg_sleep(0.01)')));
  await pooled.end();
  expect(backends[0]?.rows[0].pid).toBe(backends[1]?.rows[0].pid);
  await expect(external(`postgres://devflow@127.0.0.1:${port}/postgres`)).rejects.toMatchObject({
    code: 'db_unreachable',
    message: `The database 127.0.0.1:${port}/postgres is behind a pooler in transaction mode: its connections share sessions.`,
    recoveryHint: expect.stringContaining('PgBouncer'),
  });
});

test('waits for a server that is lost between two connections, and names it', async () => {
  const database = await external(url('postgres'));
  onTestFinished(() => database.close());
  const lost = Object.assign(new Error('connect ECONNREFUSED /socket'), { code: 'ECONNREFUSED' });
  let checks = 0;
  const lostOnce = async () => {
    checks += 1;
    if (checks === 1) throw lost;
  };
  await awaitServer(database.pool, 'The database', {}, lostOnce);
  expect(checks).toBe(2);
  const checking = awaitServer(database.pool, 'The database', { patienceMs: 0 }, () => Promise.reject(lost));
  await expect(checking).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringMatching(/^The database cannot be reached: connect ECONNREFUSED/),
    recoveryHint: 'Check that it runs and that the URL is right.',
  });
});

test('ends a wait when the daemon is told to stop', async () => {
  const ending = new AbortController();
  const opening = openExternal({ url: 'postgres://devflow@/postgres?host=/nowhere', signal: ending.signal });
  ending.abort();
  await expect(opening).rejects.toMatchObject({ code: 'shutting_down' });
});

test('names the fault of compose without docker, and with a failing docker', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'devflow-bin-'));
  try {
    vi.stubEnv('PATH', bin);
    const compose = () => openDatabase({ ...nothing, mode: 'compose' });
    await expect(compose()).rejects.toMatchObject({
      code: 'db_unreachable',
      message: expect.stringContaining('not on PATH'),
    });
    writeFileSync(join(bin, 'docker'), '#!/bin/sh\necho "no daemon here" >&2; exit 1\n');
    chmodSync(join(bin, 'docker'), 0o755);
    vi.stubEnv('PATH', `${bin}${delimiter}/bin`);
    await expect(compose()).rejects.toMatchObject({ message: 'docker compose ps failed: no daemon here' });
    writeFileSync(join(bin, 'docker'), `#!/bin/sh\necho "unknown shorthand flag: 'f' in -f" >&2; exit 125\n`);
    await expect(compose()).rejects.toMatchObject({ message: expect.stringContaining('compose plugin') });
  } finally {
    rmSync(bin, { recursive: true });
  }
});
