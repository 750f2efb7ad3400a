import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AgentServer, createAgentServer } from '../../../../../daemon/sessions/tmux/server/agentServer.ts';
import { ownServerLines } from '../../../../../daemon/sessions/tmux/server/ownKeys.ts';
import { findOnPath } from '../../../../../schemas/config/backendBinaries.ts';
import { packageRoot } from '../../../../../schemas/files/paths.ts';
import { shellQuote } from '../../../../../tmux/command/command.ts';
import { listSessions } from '../../../../../tmux/panes/sessions.ts';
import type { Server } from '../../../../../tmux/server/server.ts';
import { spawnRunner } from '../../../../../tmux/server/spawnRunner.ts';
import { startServer } from '../../../../../tmux/server/startServer.ts';
import { useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { isUp, useTmuxServer } from '../../../../helpers/tmuxServer.ts';

const tmux = useTmuxServer();
const given = useScriptedSessions();

function givenServer(server: Server): AgentServer {
  const agents = createAgentServer(server);
  onTestFinished(() => agents.close());
  return agents;
}

/** The server, and each tmux that is spawned for it, by its arguments. `before` is sh, run ahead of tmux. */
function counted(server: Server, before = ''): { server: Server; spawned: () => string[] } {
  const [log, binary] = [join(tmux().home, 'spawned'), join(tmux().home, 'counting-tmux')];
  const real = findOnPath('tmux', process.env.PATH ?? '') as string;
  const lines = ['#!/bin/sh', `log=${shellQuote(log)}`, 'echo "$*" >>"$log"', before, `exec ${shellQuote(real)} "$@"`];
  writeFileSync(binary, lines.join('\n'));
  chmodSync(binary, 0o755);
  const spawned = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { server: { ...server, binary }, spawned };
}

/** None runs, and the first so many are answered as by one that is just ending. */
function turningAway(times: number) {
  const turnAway = `[ "$(wc -l <"$log")" -gt ${times} ] || { echo 'server exited unexpectedly' >&2; exit 1; }`;
  return counted(tmux().server, turnAway);
}

async function pidOf(agents: AgentServer): Promise<number> {
  const { state } = await agents.open();
  if (!state.up) throw new Error(state.reason);
  return state.identity.pid;
}

test('opens and finds a running server without a process', async () => {
  const { server, spawned } = counted(tmux().server);
  const agents = givenServer(server);
  expect(await agents.existing()).toBeUndefined();
  const driver = await agents.open();
  const first = spawned();
  expect(first.length).toBeGreaterThan(1);
  for (let nth = 0; nth < 3; nth += 1) {
    expect(await agents.open()).toBe(driver);
    expect(await agents.existing()).toBe(driver);
  }
  expect(spawned()).toEqual(first);
});

test('notices a server killed a moment ago, and restarts it at the next open', async () => {
  const agents = givenServer(tmux().server);
  for (let nth = 0; nth < 3; nth += 1) {
    const pid = await pidOf(agents);
    process.kill(pid, 'SIGKILL');
    expect(await agents.existing()).toBeUndefined();
    expect(await pidOf(agents)).not.toBe(pid);
    process.kill(await pidOf(agents), 'SIGKILL');
    const driver = await agents.open();
    expect(driver.state.up).toBe(true);
    await driver.run([['new-session', '-d', '-s', `after-${nth}`]]);
  }
});

test('ends its own server at the close if nothing but its connection is there', async () => {
  const { server } = tmux();
  const agents = createAgentServer(server, ownServerLines(packageRoot()));
  const driver = await agents.open();
  await driver.run([['new-session', '-d', '-s', 'devflow-agent', '--', 'sleep', '600']]);
  await agents.close();
  expect(await isUp(server)).toBe(true);

  await agents.open();
  await spawnRunner(server).run([['kill-session', '-t', '=devflow-agent']]);
  await spawnRunner(server).run([['new-window', '-d', '-t', '=devflow_control:', '--', 'sleep', '600']]);
  await agents.close();
  expect(await isUp(server)).toBe(true);

  await spawnRunner(server).run([['kill-window', '-t', '=devflow_control:1']]);
  await agents.open();
  await spawnRunner(server).run([['split-window', '-d', '-t', '=devflow_control:', '--', 'sleep', '600']]);
  await agents.close();
  expect(await isUp(server)).toBe(true);
  await spawnRunner(server).run([['kill-pane', '-t', '=devflow_control:.1']]);

  // A daemon that started no agent has not opened it.
  await createAgentServer(server, ownServerLines(packageRoot())).close();
  await expect.poll(() => isUp(server)).toBe(false);
  await agents.close();
  expect(await isUp(server)).toBe(false);
});

test('ends no empty server without the mark of its configuration', async () => {
  const agents = givenServer(tmux().server);
  await agents.open();
  await agents.close();
  expect(await isUp(tmux().server)).toBe(true);
});

test('retries with an ending server until it is gone', async () => {
  const { server, spawned } = turningAway(3);
  expect(await givenServer(server).existing()).toBeUndefined();
  expect(spawned()).toHaveLength(4);
});

test('reports a server that refuses everybody as a recoverable error', async () => {
  const { server } = turningAway(1000);
  await expect(givenServer(server).existing()).rejects.toMatchObject({ code: 'network_blip' });
});

test("needs a person for a user's stopped server, and does not start it", async () => {
  const server = tmux().another('theirs');
  const agents = givenServer(server);
  const refused = expect.objectContaining({
    code: 'backend_unavailable',
    message: expect.stringMatching(/^The tmux server of tmux -L test-\w+ is not running\. devflow does not start/),
    recoveryHint: expect.stringContaining('tmux.server: own'),
  });
  await expect(agents.open()).rejects.toEqual(refused);
  expect(await agents.existing()).toBeUndefined();
  expect(await isUp(server)).toBe(false);

  const own: Server = { ...server, owner: 'own' };
  await startServer(own);
  const driver = await agents.open();
  expect((await listSessions(driver)).map(({ name }) => name)).toEqual(['devflow_control']);
  process.kill(await pidOf(agents), 'SIGKILL');
  expect(await agents.existing()).toBeUndefined();
  await expect(agents.open()).rejects.toEqual(refused);
  await startServer(own);
  // The connection looks for the server by itself, and may be back already.
  const others = (await listSessions(spawnRunner(server))).filter(({ name }) => name !== 'devflow_control');
  expect(others).toEqual([]);
  expect((await agents.open()).state.up).toBe(true);
});

test("needs a person for a user's server that a new window would kill", async () => {
  const { adapter, input, server } = await given({ shared: true });
  const set = (value: string) => spawnRunner(server).run([['set-option', '-gw', 'window-size', value]]);
  await set('manual');
  await expect(adapter.start(input)).rejects.toMatchObject({
    code: 'backend_unavailable',
    message: expect.stringContaining('window-size manual'),
  });
  const names = (await listSessions(spawnRunner(server))).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('devflow'))).toEqual([]);
  await set('latest');
  await adapter.start(input);
  expect(await adapter.probe(input)).toMatchObject({ alive: true });
});
