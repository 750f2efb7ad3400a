import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Run } from '../../../daemon/core/run/state.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import { listServers } from '../../../daemon/statusLine/servers.ts';
import { startStatusLine } from '../../../daemon/statusLine/statusLine.ts';
import { watchDirectory } from '../../../daemon/system/watchDirectory.ts';
import type { Server } from '../../../tmux/server/server.ts';
import { runSpawned } from '../../../tmux/server/spawnRunner.ts';
import { isUp, useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';
import { bound, firstPhaseDone, given, sent, started } from '../core/support/given.ts';

const test = useTmuxServer();

const working = given({}, bound, started, sent).run;
const atGate = given({}, ...firstPhaseDone).run;
const nothing = { events: [], changes: { phases: [], approvals: [], sessions: [] } };

/** A server that the plugin was loaded in, as far as the daemon can tell. */
async function givenServer(directory: string, name: string, charset = 'utf-8') {
  const server: Server = test().another('own');
  const tmux = async (...args: [string, ...string[]]) => (await runSpawned(server, [args], { starting: true })).join();
  await tmux('new-session', '-d', 'exec sleep 2147483647');
  await tmux('set-option', '-g', '@devflow_loaded', '1');
  const socket = await tmux('display-message', '-p', '#{socket_path}');
  const register = () => writeFileSync(join(directory, name), `socket ${socket}\ncharset ${charset}\n`);
  const option = (option: string) => tmux('show-options', '-gqv', `@devflow_${option}`);
  return {
    server,
    tmux,
    register,
    status: () => option('status'),
    by: () => option('by'),
    missed: () => option('missed'),
  };
}

async function givenStatusLine(list = listServers) {
  const bus = createBus();
  const state = { runs: [] as Run[], asked: 0, awaySince: undefined as string | undefined };
  const directory = join(test().home, 'tmux-servers');
  const log = { warn: vi.fn() };
  mkdirSync(directory);
  const openRuns = () => {
    state.asked += 1;
    return state.runs;
  };
  const stop = await startStatusLine({
    config: { tmux: {} },
    paths: { tmuxServers: directory },
    bus,
    openRuns,
    queuedRuns: () => new Map(),
    serverAwaySince: () => state.awaySince,
    log,
    list,
  });
  onTestFinished(stop);
  const now = (...runs: Run[]) => {
    state.runs = runs;
    for (let times = 0; times < 500; times += 1)
      bus.publish({ runId: working.id, ...nothing, events: working.lastSeq ? [{} as never] : [] });
  };
  return { directory, bus, state, stop, now, log };
}

it('pushes changes to every server in its character set, and clears them at the end', async () => {
  const { directory, stop, now, state, bus } = await givenStatusLine();
  const one = await givenServer(directory, 'one');
  const two = await givenServer(directory, 'two', 'ascii');
  one.register();
  await until('it is marked', async () => (await one.by()) === String(process.pid));
  expect(await one.status()).toBe('');
  now(working, atGate);
  await until('it is reported', async () => (await one.status()) === '▸1 ?1 Make it so.');
  two.register();
  await until('the other one is told', async () => (await two.status()) === '>1 ?1 Make it so.');
  const before = state.asked;
  now(atGate);
  await until(
    'both are told',
    async () => `${await one.status()} ${await two.status()}` === '?1 Make it so. ?1 Make it so.',
  );
  // Five hundred events are few looks.
  expect(state.asked - before).toBeLessThan(20);
  // The plugin was loaded again: it began by taking everything back.
  await one.tmux('set-option', '-gu', '@devflow_status');
  one.register();
  await until('it is told again', async () => (await one.status()) === '?1 Make it so.');
  // What a pane prints is no reason to look.
  const quiet = state.asked;
  bus.hint(working.id, { event: 'transcript.chunk_appended', data: { runId: working.id, sessionId: 's', seq: 1 } });
  now();
  await until('nothing is to be said', async () => `${await one.status()}${await two.status()}` === '');
  expect(state.asked).toBeGreaterThan(quiet);
  now(working);
  await until('it is reported', async () => (await one.status()) === '▸1');
  state.awaySince = '2026-01-02T03:04:05.000Z';
  bus.hint(null, { event: 'engine.changed', data: {} });
  await until('it says what is away', async () => /^>1 waits for Temporal since \d\d:\d\d$/.test(await two.status()));
  await stop();
  expect([await one.status(), await one.by(), await two.status(), await two.by()]).toEqual(['', '', '', '']);
});

it('drops servers that have ended or lack the plugin, and invalid files', async () => {
  const { directory, now } = await givenStatusLine();
  const [dead, bare, live] = [
    await givenServer(directory, 'dead'),
    await givenServer(directory, 'bare'),
    await givenServer(directory, 'live'),
  ];
  writeFileSync(join(directory, 'strange'), 'socket -S\nhello\n');
  await dead.tmux('kill-server');
  await bare.tmux('set-option', '-gu', '@devflow_loaded');
  now(working);
  for (const each of [dead, bare, live]) each.register();
  await until('the living one is told', async () => (await live.status()) === '▸1');
  await until('the others are forgotten', () => readdirSync(directory).sort().join() === 'live,strange');
  expect(await bare.status()).toBe('');
  expect(await isUp(dead.server)).toBe(false);
});

it('tells a server that registers while the others are read', async () => {
  const directory = join(test().home, 'tmux-servers');
  const late = await givenServer(test().home, 'late');
  late.register();
  const registering = vi.fn(async () => {
    const noticed = Promise.withResolvers<void>();
    const watching = await watchDirectory(directory, (name) => name === 'late' && noticed.resolve());
    // One notice, after which nothing else repairs what was missed.
    renameSync(join(test().home, 'late'), join(directory, 'late'));
    await noticed.promise;
    // The status line's own watch has the notice by then.
    await setImmediate();
    watching.close();
  });
  const { now } = await givenStatusLine(async (from) => {
    const found = await listServers(from);
    if (registering.mock.calls.length === 0) await registering();
    return found;
  });
  now(working);
  await until('it is told', async () => (await late.status()) === '▸1');
  expect(registering).toHaveBeenCalledOnce();
});

it('a killed daemon leaves no status, no waiting notice and no process', async () => {
  const directory = join(test().home, 'tmux-servers');
  mkdirSync(directory);
  const server = await givenServer(directory, 'one');
  server.register();
  const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../..', path));
  const program = `
    import { startStatusLine } from ${source('daemon/statusLine/statusLine.ts')};
    import { createTmuxNotices } from ${source('daemon/statusLine/notices.ts')};
    const options = { config: { tmux: {} }, paths: { tmuxServers: ${JSON.stringify(directory)} } };
    const bus = { listen: () => () => {} };
    const openRuns = () => [${JSON.stringify(working)}];
    const serverAwaySince = () => undefined;
    const queuedRuns = () => new Map();
    await startStatusLine({ ...options, bus, openRuns, queuedRuns, serverAwaySince, log: console });
    const config = { tmux: {}, notify: { tmux: 'message' } };
    createTmuxNotices({ ...options, config, bus, openRuns, queuedRuns, log: console }).tell({ title: 'devflow', text: 'waits' });
    setInterval(() => {}, 1e6);`;
  const file = join(test().home, 'daemon.mts');
  writeFileSync(file, program);
  const env = { ...process.env, TMUX_TMPDIR: test().home };
  const start = () => spawn(process.execPath, [file], { env, stdio: 'inherit' });
  const hooks = await server.tmux('show-hooks', '-g');
  const daemon = start();
  await until('it is reported', async () => (await server.status()) === '▸1');
  const notice = async () => `${await server.missed()}${await server.tmux('show-hooks', '-g')}`;
  await until('the notice is kept', async () => /^1.*devflow: waits/.test(await notice()));
  daemon.kill('SIGKILL');
  await until('it is taken back', async () => (await server.status()) === '' && (await server.by()) === '');
  expect(await notice()).toBe(hooks);
  // The next one's is not taken back by what is left of the first.
  const next = start();
  await until('it is told again', async () => (await server.status()) === '▸1');
  expect(await server.by()).toBe(String(next.pid));
  next.kill('SIGKILL');
  await until('it is taken back', async () => (await server.status()) === '');
});
