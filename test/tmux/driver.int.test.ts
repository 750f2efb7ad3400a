import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { listClients } from '../../tmux/clients/clients.ts';
import { shellQuote } from '../../tmux/command/command.ts';
import { sweepOrphans } from '../../tmux/control/sweepOrphans.ts';
import { type ConnectionState, TmuxDriver } from '../../tmux/driver.ts';
import { listPanes, readPane } from '../../tmux/panes/panes.ts';
import { listSessions } from '../../tmux/panes/sessions.ts';
import { parentOf } from '../../tmux/process/processes.ts';
import { sendSigchld } from '../../tmux/process/watchPane.ts';
import { type Server, serverArgv, serverEnv } from '../../tmux/server/server.ts';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { killServer, readIdentity, startServer } from '../../tmux/server/startServer.ts';
import { descendants, isUp, useTmuxServer } from '../helpers/tmuxServer.ts';
import { until } from '../helpers/until.ts';

const tmux = useTmuxServer();
const say = (text: string) => ['display-message', '-p', text] as const;

async function controlPid(driver: TmuxDriver): Promise<number> {
  return (await listClients(driver)).find((client) => client.controlMode)?.pid as number;
}

function states(driver: TmuxDriver): ConnectionState[] {
  const seen: ConnectionState[] = [];
  driver.onState((state) => seen.push(state));
  return seen;
}

/** A server as a user has one, with a session in it. */
async function userServer(): Promise<Server> {
  const own = tmux().another('own');
  await startServer(own);
  await spawnRunner(own).run([
    ['set-option', '-g', 'remain-on-exit', 'off'],
    ['set-option', '-s', 'focus-events', 'on'],
    ['new-session', '-d', '-s', 'user', '--', 'sleep', '1000'],
  ]);
  return { ...own, owner: 'theirs' };
}

describe('a server of our own', () => {
  it('keeps the settings that protect it, whatever else is configured', async () => {
    const server = tmux().another('own', ['set-option -s focus-events on', 'set-option -g status off']);
    const driver = await tmux().driver({ server });
    const read = async (...flags: string[]) => (await driver.run([['show-options', ...flags] as never]))[0];
    expect(await read('-sv', 'focus-events')).toBe('off');
    expect(await read('-sv', 'extended-keys')).toBe('on');
    expect(await read('-gwv', 'remain-on-exit')).toBe('on');
    expect(await read('-gv', 'status')).toBe('off');
    expect(driver.state).toMatchObject({ up: true, identity: { version: { kind: expect.any(String) } } });
  });

  it('outlives the driver and its panes, and is found again', async () => {
    const first = await TmuxDriver.open(tmux().server);
    const { pane, pid } = await tmux().pane(first, 'exec sleep 1000');
    const { state } = first;
    await first.close();
    const driver = await tmux().driver();
    expect(driver.state).toEqual(state);
    expect(await readPane(driver, pane)).toMatchObject({ pid });
    expect((await listSessions(driver)).filter((session) => session.name === '_control')).toHaveLength(1);
  });
});

describe("a user's server", () => {
  it('keeps every option, and gets one session that ends with the connection', async () => {
    const server = await userServer();
    const runner = spawnRunner(server);
    const options = () =>
      Promise.all([
        runner.run([['show-options', '-s']]),
        runner.run([['show-options', '-g']]),
        runner.run([['show-options', '-gw']]),
        runner.run([['show-hooks', '-g']]),
      ]);
    const before = await options();
    const driver = await TmuxDriver.open(server, { controlSession: '_ours' });
    const { pane } = await tmux().pane(driver, 'exit 3', { place: { newSession: 'agent' } });
    const { pid } = await readIdentity(driver);
    await until('it ended', async () => sendSigchld(pid) && (await readPane(driver, pane))?.deadStatus === 3);
    expect((await listSessions(driver)).map((session) => session.name).sort()).toEqual(['_ours', 'agent', 'user']);
    await driver.close();
    await until('ours is gone', async () => (await listSessions(runner)).every((session) => session.name !== '_ours'));
    expect(await options()).toEqual(before);
  });

  it('is never started or ended by the driver', async () => {
    const server = tmux().another('theirs');
    await expect(TmuxDriver.open(server)).rejects.toMatchObject({ code: 'no_server' });
    await expect(spawnRunner(server).run([['new-session', '-d']])).rejects.toMatchObject({ code: 'no_server' });
    await expect(killServer(await userServer())).rejects.toMatchObject({ code: 'unsafe' });
    expect(await isUp(server)).toBe(false);
  });
});

describe('a lost connection', () => {
  it('is opened again with its subscriptions, and commands run meanwhile', async () => {
    const driver = await tmux().driver();
    const values: string[] = [];
    driver.onNotification((n) => n.type === 'subscription' && n.name === 'mark' && values.push(n.value));
    await driver.subscribe('mark', '#{S:#{session_name} }');
    await until('it is reported', () => values.length > 0);
    const seen = states(driver);
    process.kill(await controlPid(driver), 'SIGKILL');
    await until('it is noticed', () => seen.length > 0);
    expect(await driver.run([say('meanwhile')])).toEqual(['meanwhile']);
    await until('it is up again', () => driver.state.up);
    values.length = 0;
    await until('it is told again', () => values.length > 0);
    expect(seen.map((state) => state.up)).toEqual([false, true]);
  });

  it('repeats a command only if it is idempotent', async () => {
    const driver = await tmux().driver();
    const pid = await controlPid(driver);
    const wait = ['wait-for', 'never'] as const;
    const [deed, question] = [driver.run([wait, say('done')]), driver.run([say('asked')], { idempotent: true })];
    const outcome = expect(deed).rejects.toMatchObject({ code: 'outcome_unknown' });
    process.kill(pid, 'SIGKILL');
    await outcome;
    expect(await question).toEqual(['asked']);
  });
});

describe('an ended server', () => {
  it('is reported, and restarted only on request', async () => {
    const driver = await tmux().driver({ retryMs: [10, 20] });
    const seen = states(driver);
    await tmux().pane(driver, 'exec sleep 1000');
    const before = driver.state;
    await killServer(tmux().server);
    await until('two tries failed', () =>
      seen.some((state) => !state.up && /No such file|no server|refused/.test(state.reason)),
    );
    await expect(driver.run([say('x')])).rejects.toMatchObject({ code: 'no_server' });
    await expect(driver.run([['new-session', '-d']])).rejects.toMatchObject({ code: 'no_server' });
    expect(await isUp(tmux().server)).toBe(false);
    await driver.revive();
    expect(driver.state.up).toBe(true);
    expect(driver.state).not.toEqual(before);
    expect(await listPanes(driver)).toHaveLength(1);
  });
});

it('kills only the clients that a killed process of ours left behind', async () => {
  const driver = await tmux().driver();
  const words = [
    ...serverArgv(tmux().server),
    '-C',
    'attach-session',
    '-t',
    '=_control',
    '-f',
    'no-output,ignore-size',
  ];
  // Its parent ends at once; what holds its input open lives on.
  const line = `tail -f /dev/null | ${words.map(shellQuote).join(' ')} >/dev/null &`;
  spawn('/bin/sh', ['-c', line], { env: serverEnv(tmux().server), stdio: 'ignore' });
  const ours = await controlPid(driver);
  const orphan = await until('it is attached', async () =>
    (await listClients(driver)).find((client) => client.pid !== ours && parentOf(client.pid) === 1),
  );
  expect(await sweepOrphans(driver, 'another')).toEqual([]);
  expect(await sweepOrphans(driver, '_control')).toEqual([orphan.pid]);
  await until('it is gone', async () => (await listClients(driver)).length === 1);
  expect(await controlPid(driver)).toBe(ours);
  for (const { pid, name } of descendants(tmux().home)) if (name === 'tail') process.kill(pid);
});
