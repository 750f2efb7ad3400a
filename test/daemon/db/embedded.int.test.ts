import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database, OpenOptions } from '../../../daemon/db/database.ts';
import { accessFiles } from '../../../daemon/db/embedded/access.ts';
import { controlFault } from '../../../daemon/db/embedded/controlFile.ts';
import { serverUser } from '../../../daemon/db/embedded/serverUser.ts';
import { readHomes, removeOutside } from '../../../schemas/embeddedServer/clusterHomes.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Embedded, killServer, one, useEmbedded } from './givenEmbedded.ts';

const root = process.getuid?.() === 0;
const embedded = useEmbedded();
let home: string;
let pidFile: string;
let options: OpenOptions;
let open: Embedded['open'];
let givenCluster: Embedded['givenCluster'];
const children: ChildProcess[] = [];

beforeEach(() => {
  ({ home, pidFile, options, open, givenCluster } = embedded());
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Another process that opens the same database; resolves when it has. */
async function openElsewhere(): Promise<{ child: ChildProcess; pid: number; adopted: boolean }> {
  const script = join(import.meta.dirname, 'openForever.ts');
  const child = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  return { child, ...JSON.parse(String(line)) };
}

test('creates, starts, stops and restarts a database without a network', async () => {
  const first = await open();
  expect(first.adopted).toBe(false);
  const { rows } = await first.pool.query(
    `SELECT current_setting('listen_addresses') AS net, current_setting('fsync') AS fsync, current_user AS who,
     current_setting('server_encoding') AS encoding, 9007199254740991::int8 AS big`,
  );
  expect(rows[0]).toEqual({ net: '', fsync: 'on', who: 'devflow', encoding: 'UTF8', big: Number.MAX_SAFE_INTEGER });
  expect(statSync(options.socketDir).mode & 0o777).toBe(0o700);
  await first.stopServer();
  expect(existsSync(pidFile)).toBe(false);
  const second = await open();
  expect(second).toMatchObject({ adopted: false });
  expect(await one(second)).toBe(1);
  expect(readdirSync(dirname(options.dataDir))).toEqual(['data']);
});

test('adopts a server that outlived a killed daemon', async () => {
  givenCluster();
  const elsewhere = await openElsewhere();
  elsewhere.child.kill('SIGKILL');
  await once(elsewhere.child, 'exit');
  const database = await open();
  expect(database).toMatchObject({ adopted: true, serverPid: elsewhere.pid });
  const { rows } = await database.pool.query(`SELECT nspname FROM pg_namespace WHERE nspname = 'kept'`);
  expect(rows).toHaveLength(1);
});

test('three processes at once share one server', async () => {
  const all = await Promise.all([openElsewhere(), openElsewhere(), open()]);
  const pids = all.map((each) => ('child' in each ? each.pid : each.serverPid));
  expect(new Set(pids).size).toBe(1);
  expect(all.map(({ adopted }) => adopted).sort()).toEqual([false, true, true]);
});

test('restarts a killed server despite its leftover pid file', async () => {
  givenCluster();
  await killServer(await open());
  expect(existsSync(pidFile)).toBe(true);
  const database = await open();
  expect(database.adopted).toBe(false);
  expect(await one(database)).toBe(1);
});

const LOCK = '.s.PGSQL.5432.lock';

/** As after a reboot or a long time: the pid file of a killed server names a live process that is none. */
function giveItsPidAway(): ChildProcess {
  const other = spawn('sleep', ['600'], { ...serverUser(), cwd: '/', stdio: 'ignore' });
  children.push(other);
  for (const path of [pidFile, join(options.socketDir, LOCK)]) {
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [other.pid, ...lines.slice(1)].join('\n'));
  }
  return other;
}

test('starts the server although another process reuses its old pid', async () => {
  givenCluster();
  await killServer(await open());
  const other = giveItsPidAway();
  const kept = [pidFile, join(options.socketDir, LOCK)].map((path, at) => {
    linkSync(path, join(home, `kept${at}`));
    return { path: join(home, `kept${at}`), text: readFileSync(path, 'utf8') };
  });
  expect(await one(await open())).toBe(1);
  // Replaced as a whole, not written over: a crash leaves no half file.
  for (const { path, text } of kept) expect(readFileSync(path, 'utf8')).toBe(text);
  expect(other.exitCode).toBeNull();
});

test('starts no second server while a backend of the first one runs, even if its pid was reused', async () => {
  givenCluster();
  const first = await open();
  const { rows } = await first.pool.query('SELECT pg_backend_pid() AS pid');
  process.kill(rows[0].pid, 'SIGSTOP');
  process.kill(first.serverPid as number, 'SIGKILL');
  const ended = first.close();
  await eventually(() => expect(() => process.kill(first.serverPid as number, 0)).toThrow());
  giveItsPidAway();
  let done = false;
  const second = open().finally(() => {
    done = true;
  });
  await eventually(() => expect(readFileSync(options.logFile, 'utf8')).toContain('pre-existing shared memory block'));
  expect(done).toBe(false);
  process.kill(rows[0].pid, 'SIGKILL');
  expect(await one(await second)).toBe(1);
  await ended;
});

test('removes a stale lock and a stale draft', async () => {
  mkdirSync(`${options.dataDir}.init-abc`, { recursive: true });
  writeFileSync(`${options.dataDir}.starting`, '999999999');
  expect(await one(await open())).toBe(1);
  expect(readdirSync(dirname(options.dataDir))).toEqual(['data']);
});

test('replaces a server whose socket was removed', async () => {
  givenCluster();
  const deaf = await open();
  await deaf.close();
  rmSync(options.socketDir, { recursive: true });
  const database = await open();
  expect(database.adopted).toBe(false);
  expect(await one(database)).toBe(1);
});

test('replaces a socket path that is too long', async () => {
  givenCluster();
  const database = await open({ socketDir: join(home, 'x'.repeat(100)) });
  const { host } = database.connection;
  expect(host).toMatch(/\/devflow-pg-[0-9a-f]{16}$/);
  expect(statSync(host as string).mode & 0o777).toBe(0o700);
  expect(await one(database)).toBe(1);
  rmSync(host as string, { recursive: true });
});

test('refuses a directory without a database, and a database of another version', async () => {
  mkdirSync(options.dataDir, { recursive: true });
  writeFileSync(join(options.dataDir, 'mine.txt'), '');
  await expect(open()).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringContaining('is not a database'),
  });
  writeFileSync(join(options.dataDir, 'PG_VERSION'), '13\n');
  await expect(open()).rejects.toMatchObject({ message: expect.stringContaining('created by PostgreSQL 13') });
});

test.each([
  ['', 'names no version'],
  ['\0\0\0', 'names no version'],
  [undefined, 'is missing'],
])('names a damaged PG_VERSION (%j)', async (text, fault) => {
  mkdirSync(join(options.dataDir, 'global'), { recursive: true });
  writeFileSync(join(options.dataDir, 'global/pg_control'), '');
  if (text !== undefined) writeFileSync(join(options.dataDir, 'PG_VERSION'), text);
  await expect(open()).rejects.toMatchObject({
    code: 'db_damaged',
    message: `The database in ${options.dataDir} is damaged: PG_VERSION ${fault}.`,
  });
});

test('names the reason why a server does not start', async () => {
  givenCluster();
  await (await open()).stopServer();
  writeFileSync(join(options.dataDir, 'postgresql.conf'), 'nonsense = 1\n', { flag: 'a' });
  await expect(open()).rejects.toMatchObject({
    code: 'db_unreachable',
    message: expect.stringMatching(/^Starting the database in .* failed: .*contains errors\.$/),
  });
});

test('refuses a damaged control file and does not change the database', async () => {
  givenCluster();
  const path = join(options.dataDir, 'global/pg_control');
  const whole = readFileSync(path);
  expect(controlFault(whole)).toBeUndefined();
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(whole.readUInt8(100) ^ 1, 100);
  const damages: [Buffer, string][] = [
    [whole.subarray(0, 4096), 'has 4096 bytes'],
    [Buffer.alloc(0), 'has 0 bytes'],
    [Buffer.alloc(whole.length), 'is not of version 1300'],
    [flipped, 'has a wrong checksum'],
  ];
  for (const [bytes, fault] of damages) {
    writeFileSync(path, bytes);
    await expect(open()).rejects.toMatchObject({
      code: 'db_damaged',
      message: expect.stringContaining(`is damaged: global/pg_control ${fault}`),
    });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  }
  rmSync(path);
  await expect(open()).rejects.toThrow('global/pg_control is missing');
  writeFileSync(path, whole);
  if (root) chownSync(path, serverUser()?.uid ?? 0, serverUser()?.gid ?? 0);
  expect(await one(await open())).toBe(1);
});

/** Connects to a server as another user of the system. */
function logInAs(database: Database, user: { uid: number; gid: number }): string {
  const { host, port } = database.connection;
  const script = `
    const { Client } = require('pg');
    const client = new Client(${JSON.stringify({ host, port, user: 'devflow', database: 'postgres' })});
    client.connect().then(() => 'in', (error) => error.message).then((said) => { console.log(said); process.exit(); });
  `;
  // The package is loaded as root: the other user may not get to where it lies.
  const become = `process.setgroups([]); process.setgid(${user.gid}); process.setuid(${user.uid});`;
  const loaded = script.replace('const client', `${become} const client`);
  return execFileSync(process.execPath, ['-e', loaded], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
}

test.runIf(root)("as root, the server's own user cannot log in, also to a cluster made before", async () => {
  givenCluster();
  writeFileSync(join(options.dataDir, 'pg_hba.conf'), 'local all all trust\n');
  const database = await open();
  expect(await one(database)).toBe(1);
  const user = serverUser() as { uid: number; gid: number };
  expect(logInAs(database, { uid: 0, gid: 0 })).toBe('in');
  expect(logInAs(database, user)).toContain('Peer authentication failed for user "devflow"');
});

test('a person can still use a cluster that root started', () => {
  const names = new Map([
    [0, 'root'],
    [1000, 'ada l'],
    [70, 'postgres'],
  ]);
  const files = (uid?: number) => accessFiles(uid === undefined ? undefined : { uid, gid: uid }, (of) => names.get(of));
  expect(files()).toEqual({ hba: 'local all all trust\n', ident: '' });
  expect(files(70).ident).toBe('devflow root devflow\n');
  expect(files(65534).ident).toBe('devflow root devflow\n');
  expect(files(1000).ident).toBe('devflow root devflow\ndevflow "ada l" devflow\n');
});

test.runIf(root)('as root, below a directory that the server cannot enter', async () => {
  chmodSync(home, 0o700);
  const database = await open();
  expect(await one(database)).toBe(1);
  expect(readFileSync(join(options.dataDir, 'LOCATION'), 'utf8')).toMatch(
    /^\/var\/lib\/devflow\/data\/[0-9a-f]{16}\n$/,
  );
  expect(database.connection.host).toMatch(/^\/run\/devflow-pg-/);
  await database.close();
  chmodSync(home, 0o711); // reachable now: the data is still where it was made
  expect(await open()).toMatchObject({ adopted: true, serverPid: database.serverPid });
  const place = readFileSync(join(options.dataDir, 'LOCATION'), 'utf8').trim();
  expect(readHomes(place)).toEqual([options.dataDir]);
  await (await open()).stopServer();
  const other = join(home, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'LOCATION'), place);
  removeOutside(other);
  expect(existsSync(join(place, 'PG_VERSION'))).toBe(true);
  removeOutside(options.dataDir);
  expect([place, `${place}.home`, database.connection.host as string].filter((path) => existsSync(path))).toEqual([]);
});

test.runIf(root)(
  'as root, a cluster keeps its owner, and an unreadable one is not replaced by an empty one',
  async () => {
    givenCluster();
    execFileSync('chown', ['-R', '65534:65534', options.dataDir]);
    const database = await open();
    expect(statSync(join(options.socketDir, '.s.PGSQL.5432')).uid).toBe(65534);
    await database.stopServer();
    chmodSync(home, 0o700);
    await expect(open()).rejects.toMatchObject({
      code: 'workspace_permissions',
      recoveryHint: expect.stringContaining('o+x'),
    });
  },
);

test.runIf(root)('a full disk is named', async () => {
  mkdirSync(dirname(options.dataDir));
  const mounted = spawn('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dirname(options.dataDir)]);
  const [code] = await once(mounted, 'exit');
  if (code !== 0) return; // a container without the right to mount
  try {
    await expect(open()).rejects.toMatchObject({ code: 'disk_full' });
    expect(readdirSync(dirname(options.dataDir))).toEqual([]);
  } finally {
    await once(spawn('umount', [dirname(options.dataDir)]), 'exit');
  }
});
