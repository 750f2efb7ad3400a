import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { connectionConfig } from '../../../daemon/db/connect.ts';
import { findBinaries } from '../../../daemon/db/embedded/binaries.ts';
import { placeSocket } from '../../../daemon/db/embedded/places.ts';
import { serverUser } from '../../../daemon/db/embedded/serverUser.ts';
import { openExternal } from '../../../daemon/db/external.ts';
import { useEmbedded } from './givenEmbedded.ts';

const embedded = useEmbedded();
const url = () => `postgres://devflow@/postgres?host=${encodeURIComponent(embedded().options.socketDir)}`;
let standby: ChildProcess | undefined;

afterEach(async () => {
  if (standby === undefined) return;
  standby.kill('SIGINT');
  await once(standby, 'exit');
  standby = undefined;
});

/** A server that recovers from another one, for ever. */
function givenStandby(): void {
  const { options, givenCluster } = embedded();
  givenCluster();
  const user = serverUser(options.dataDir);
  writeFileSync(join(options.dataDir, 'standby.signal'), '');
  writeFileSync(join(options.dataDir, 'pg_hba.conf'), 'local all all trust\n');
  mkdirSync(options.socketDir, { recursive: true });
  const words = ['listen_addresses=', `unix_socket_directories=${placeSocket(options.socketDir, user)}`];
  const { postgres } = findBinaries(options.binariesCacheDir, user);
  standby = spawn(postgres, ['-D', options.dataDir, ...words.flatMap((word) => ['-c', word])], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  });
}

test('waits for a server that is not there yet, and says for what and how long', async () => {
  const { open, givenCluster, options } = embedded();
  givenCluster();
  const onWaiting = vi.fn();
  const opening = openExternal({ url: url(), onWaiting });
  await expect.poll(() => onWaiting.mock.calls.length).toBe(1);
  expect(onWaiting.mock.calls[0]).toEqual([
    {
      name: `The database ${options.socketDir}:5432/postgres`,
      why: expect.stringContaining('ENOENT'),
      patienceMs: 60_000,
    },
  ]);
  await open();
  await (await opening).close();
});

test('says how long it waited for a server that does not come', async () => {
  await expect(openExternal({ url: url(), patienceMs: 1_200 })).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringMatching(/cannot be reached: connect ENOENT .*\. devflow waited 1 s for it\.$/),
    recoveryHint: 'Check that it runs and that the URL is right.',
  });
});

test('waits for a standby to be promoted, and names one that stays a standby', async () => {
  givenStandby();
  const onWaiting = vi.fn();
  const opening = openExternal({ url: url(), onWaiting });
  await expect.poll(() => onWaiting.mock.lastCall?.[0].why).toContain('is a standby');
  await expect(openExternal({ url: url(), patienceMs: 0 })).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringMatching(/ is a standby: it recovers from another server, and takes no writes\.$/),
    recoveryHint: expect.stringContaining('Set the URL of the primary server'),
  });
  standby?.kill('SIGUSR1');
  writeFileSync(join(embedded().options.dataDir, 'promote'), '');
  standby?.kill('SIGUSR1');
  await (await opening).close();
});

test('names a database whose transactions are read-only', async () => {
  const { open, givenCluster } = embedded();
  givenCluster();
  const database = await open();
  await database.pool.query('ALTER DATABASE postgres SET default_transaction_read_only = on');
  await expect(openExternal({ url: url(), patienceMs: 0 })).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringMatching(/ takes no writes: its transactions are read-only\.$/),
  });
});

/** A server that takes connections and never answers. */
async function givenSilentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    hangUp();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, hangUp };
}

test('does not wait longer for an answer than its patience allows', async () => {
  const { port, hangUp } = await givenSilentServer();
  const client = new pg.Client(connectionConfig({ host: '127.0.0.1', port, user: 'devflow' }));
  const usual = client.connect().catch(() => 'a connection');
  const opening = openExternal({ url: `postgres://devflow@127.0.0.1:${port}/x`, patienceMs: 0 });
  expect(await Promise.race([usual, opening.catch(({ code }) => code)])).toBe('db_unreachable');
  hangUp();
  await usual;
});

test.runIf(process.platform === 'linux')('asks soon whether the machine of a silent server is there', async () => {
  const { port, hangUp } = await givenSilentServer();
  const client = new pg.Client(connectionConfig({ host: '127.0.0.1', port, user: 'devflow' }));
  const connecting = client.connect().catch(() => {});
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  // "02" is the timer of keepalive, then the time left in hundredths of a second.
  const line = new RegExp(`0100007F:${hex} 01 \\S+ 02:([0-9A-F]+)`);
  const left = () => Number.parseInt(line.exec(readFileSync('/proc/net/tcp', 'utf8'))?.[1] ?? '', 16);
  await expect.poll(left).toBeLessThanOrEqual(600);
  hangUp();
  await connecting;
});
