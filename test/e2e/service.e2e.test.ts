import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { isAlive } from '../../schemas/process/processes.ts';
import { makeDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { keeperOf } from '../helpers/keeper.ts';
import { until } from '../helpers/until.ts';

interface ServiceFacts {
  file: string;
  state: string | null;
  keptBy: string | null;
  atLogin: boolean;
}

/** A daemon whose settings are in its file, because a service gets none of a shell. Not yet started. */
async function givenDaemon(): Promise<TestDaemon> {
  const daemon = await makeDaemon();
  const { envFile } = resolvePaths(daemon.env);
  const settings = Object.entries(daemon.env).filter(
    ([name]) => name.startsWith('DEVFLOW_') && !['DEVFLOW_HOME', 'DEVFLOW_INTERNAL_CACHE'].includes(name),
  );
  writeFileSync(envFile, settings.map(([name, value]) => `${name.slice('DEVFLOW_'.length)}='${value}'\n`).join(''));
  for (const [name] of settings) delete daemon.env[name];
  return daemon;
}

const factsOf = async (daemon: TestDaemon): Promise<ServiceFacts> =>
  JSON.parse((await daemon.cli(['service', 'status', '--json'])).stdout);

const serving = (daemon: TestDaemon, after = 0) =>
  until('a daemon serves', async () => {
    const status = await daemon.call('daemon.status', {}).catch(() => undefined);
    return status && status.daemon.pid !== after ? status.daemon.pid : undefined;
  });

/** The command line and the environment of a unit, as systemd reads them. */
function commandOf(unit: string): { words: string[]; env: Record<string, string> } {
  const valuesOf = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].flatMap(([, value = '']) =>
      [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
        word.replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%'),
      ),
    );
  return {
    words: valuesOf('ExecStart'),
    env: Object.fromEntries(valuesOf('Environment').map((each) => each.split(/=(.*)/s))),
  };
}

test('is shown, written, true in its status, and removed; its command line keeps a daemon', async () => {
  const daemon = await givenDaemon();
  const dryRun = await daemon.cli(['service', 'install', '--dry-run']);
  expect(dryRun.stdout).toContain('ExecStart=');
  const { file } = await factsOf(daemon);
  expect(file.startsWith(daemon.env.HOME ?? '-')).toBe(true);
  expect(existsSync(file)).toBe(false);
  expect(await daemon.cli(['service', 'install'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  const installed = await daemon.cli(['service', 'install', '--yes']);
  expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining('loginctl enable-linger') });
  expect(await factsOf(daemon)).toMatchObject({ installed: true, current: true, atLogin: true, keptBy: null });

  const { words, env } = commandOf(readFileSync(file, 'utf8'));
  const [program = '', ...args] = words;
  const bare = { ...env, HOME: daemon.env.HOME, DEVFLOW_INTERNAL_CACHE: daemon.env.DEVFLOW_INTERNAL_CACHE };
  const keeper = spawn(program, args, { env: bare, cwd: '/', stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(keeper, 'exit');
  onTestFinished(() => void keeper.kill('SIGTERM'));
  const first = await serving(daemon);
  expect(await factsOf(daemon)).toMatchObject({ keptBy: 'service' });
  expect(keeperOf(daemon)).toBe(keeper.pid);
  process.kill(first, 'SIGKILL');
  const second = await serving(daemon, first);
  expect((await daemon.cli(['up'])).stdout).toContain(`already up: pid ${second}`);
  expect((await daemon.cli(['service', 'run'])).stdout).toContain(`Another keeper (pid ${keeper.pid})`);

  const agent = { ...daemon.env, DEVFLOW_AGENT: 'a1' };
  for (const word of ['install', 'remove', 'run']) {
    const { stderr } = spawnSync(daemon.cliProgram, ['service', word], { env: agent, encoding: 'utf8' });
    expect(stderr).toContain('[agent_may_not_decide]');
  }
  keeper.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(isAlive(second)).toBe(false);
  expect((await daemon.cli(['service', 'remove', '--yes'])).code).toBe(0);
  expect(existsSync(join(daemon.env.HOME ?? '', '.config', 'systemd'))).toBe(false);
  expect(await daemon.cli(['service', 'status'])).toMatchObject({ code: 1 });
});

const SYSTEMD = '/lib/systemd/systemd';

/** A systemd of the test's own, as at log-in. It believes that systemd runs the machine. Undefined where none can run. */
function startSystemd(daemon: TestDaemon): ChildProcess | undefined {
  const enter = ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && exec "$@"', 'sh'];
  if (!existsSync(SYSTEMD) || spawnSync('unshare', [...enter, 'true']).status !== 0) return undefined;
  const runtime = join(daemon.root, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  daemon.env.XDG_RUNTIME_DIR = runtime;
  const { HOME, PATH } = daemon.env;
  const env = { HOME, PATH, XDG_RUNTIME_DIR: runtime };
  return spawn('unshare', [...enter, SYSTEMD, '--user'], { env, stdio: 'ignore' });
}

test('a real systemd starts it at log-in, puts a keeper there again, and stops it in order', async (context) => {
  const daemon = await givenDaemon();
  expect((await daemon.cli(['service', 'install', '--yes'])).code).toBe(0);
  const systemd = startSystemd(daemon);
  if (!systemd) return context.skip('no systemd of its own can run here');
  const ended = once(systemd, 'exit');
  onTestFinished(async () => {
    systemd.kill('SIGTERM');
    await ended;
  });
  const first = await serving(daemon);
  const keeper = keeperOf(daemon);
  await until('systemd says that it runs', async () => (await factsOf(daemon)).state === 'active');
  process.kill(first, 'SIGKILL');
  const second = await serving(daemon, first);
  expect(keeperOf(daemon)).toBe(keeper);

  process.kill(keeper, 'SIGKILL');
  await until('systemd has put a keeper there again', async () => {
    const { state, keptBy } = await factsOf(daemon);
    return state === 'active' && keptBy === 'service' && keeperOf(daemon) !== keeper;
  });
  expect(await serving(daemon)).toBe(second);
  process.kill(second, 'SIGKILL');
  const third = await serving(daemon, second);

  const { file } = await factsOf(daemon);
  const unit = file.slice(file.lastIndexOf('/') + 1);
  const stop = spawnSync('systemctl', ['--user', 'stop', unit], { env: daemon.env, encoding: 'utf8' });
  expect(stop).toMatchObject({ status: 0, stderr: '' });
  expect(isAlive(third)).toBe(false);
  expect(await factsOf(daemon)).toMatchObject({ state: 'inactive', keptBy: null });
  expect((await daemon.cli(['service', 'remove', '--yes'])).code).toBe(0);
});
