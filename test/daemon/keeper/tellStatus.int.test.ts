import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pushStatus } from '../../../daemon/statusLine/push.ts';
import { packageRoot, resolvePaths } from '../../../schemas/files/paths.ts';
import { type KeeperRecord, newRecord } from '../../../schemas/keeper/record.ts';
import { runSpawned } from '../../../tmux/server/spawnRunner.ts';
import { processesLeft, processesOf } from '../../helpers/leaks.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const test = useTmuxServer();

const PROGRAM = `
  import { resolvePaths } from ${JSON.stringify(join(packageRoot(), 'schemas/files/paths.ts'))};
  import { tellStatus } from ${JSON.stringify(join(packageRoot(), 'daemon/keeper/tellStatus.ts'))};
  const records = JSON.parse(process.argv[1]);
  for (const record of records) await tellStatus(resolvePaths(process.env), record);
  console.log('told');
  process.stdin.on('end', () => process.exit()).resume();`;

const since = '2026-11-27T01:02:03.000Z';
const waiting = (failures: number): KeeperRecord => ({
  ...newRecord(4711, 'up'),
  state: 'waiting',
  reason: 'database',
  since,
  failures,
});

/** A tmux server with the plugin, as far as a keeper can tell. */
async function givenServer() {
  const env = { PATH: process.env.PATH ?? '', HOME: test().home, DEVFLOW_HOME: join(test().home, 'devflow') };
  const server = test().another('own');
  const tmux = async (...args: [string, ...string[]]) => (await runSpawned(server, [args], { starting: true })).join();
  await tmux('new-session', '-d', 'exec sleep 2147483647');
  await tmux('set-option', '-g', '@devflow_loaded', '1');
  const socket = await tmux('display-message', '-p', '#{socket_path}');
  const directory = resolvePaths(env).tmuxServers;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, 'one'), `socket ${socket}\ncharset utf-8\n`);
  const status = () => tmux('show-options', '-gqv', '@devflow_status');
  const cleaners = () => processesOf(socket).filter(({ command }) => command.includes('devflow-status'));
  return { env, socket, status, options: () => tmux('show-options', '-g'), cleaners };
}

/** A keeper that says so and then waits. */
async function keeperTells({ env }: Awaited<ReturnType<typeof givenServer>>, ...records: KeeperRecord[]) {
  const words = ['--experimental-strip-types', '--no-warnings', '--input-type=module-typescript', '-e', PROGRAM];
  const child = spawn(process.execPath, [...words, JSON.stringify(records)], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return { child, ended };
}

it('says what the keeper waits for, and clears it when the keeper is killed', async () => {
  const given = await givenServer();
  const { child, ended } = await keeperTells(given, waiting(1), waiting(2));
  expect(await given.status()).toMatch(/^waits for the database since \d\d:\d\d$/);
  await until('the first cleaner has ended', () => given.cleaners().length === 1);
  child.kill('SIGKILL');
  await ended;
  await until('it is cleared', async () => (await given.status()) === '');
  expect(await given.options()).not.toMatch(/@devflow_(status|by)/);
  expect(await processesLeft(given.cleaners)).toEqual([]);
});

it('leaves the text of the next daemon, and ends', async () => {
  const given = await givenServer();
  const { child, ended } = await keeperTells(given, waiting(1));
  await pushStatus({ binary: 'tmux', socket: given.socket }, '▸1', 4712);
  expect(await processesLeft(given.cleaners)).toEqual([]);
  child.kill('SIGKILL');
  await ended;
  expect(await given.status()).toBe('▸1');
});

it('says that it gave up, also after its end', async () => {
  const given = await givenServer();
  const { child, ended } = await keeperTells(given, { ...waiting(1), state: 'gave up', reason: 'crash' });
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(await given.status()).toBe('devflow gave up: devflow status');
  expect(given.cleaners()).toEqual([]);
});
