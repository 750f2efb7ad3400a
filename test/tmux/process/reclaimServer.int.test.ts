import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { listPanes } from '../../../tmux/panes/panes.ts';
import { statFields } from '../../../tmux/process/processes.ts';
import { readProc } from '../../../tmux/process/readProc.ts';
import { findLostServer, reclaimServer } from '../../../tmux/process/reclaimServer.ts';
import { spawnRunner } from '../../../tmux/server/spawnRunner.ts';
import { readIdentity, type ServerIdentity } from '../../../tmux/server/startServer.ts';
import { isUp, useTmuxServer } from '../../helpers/tmuxServer.ts';

const tmux = useTmuxServer();

/** Opens and closes the connection of one daemon. */
async function open(): Promise<ServerIdentity> {
  const { server, driver } = tmux();
  const connected = await driver({ server });
  const identity = await connected.revive();
  await connected.close();
  return identity;
}

/** Collected or not. */
const hasEnded = (pid: number) => /^([ZX]|$)/.test(statFields(readProc(`${pid}/stat`))[0] ?? '');

it('reaches a server again whose socket and directory were removed, with its panes', async () => {
  const { server, spawned, pane } = tmux();
  const before = await open();
  const started = await pane(spawned, 'exec sleep 2147483647');
  rmSync(dirname(before.socketPath), { recursive: true });
  expect(await isUp(server)).toBe(false);
  expect(findLostServer(server)).toBe(before.pid);
  expect(await open()).toEqual(before);
  expect(findLostServer(server)).toBeUndefined();
  expect((await listPanes(spawned)).map(({ pid }) => pid)).toContain(started.pid);
});

it('makes a removed socket again while its connection goes on', async () => {
  const { server, driver } = tmux();
  const connected = await driver();
  const { socketPath } = await connected.revive();
  rmSync(socketPath);
  await connected.revive();
  expect(existsSync(socketPath)).toBe(true);
  expect(await isUp(server)).toBe(true);
});

it('ends a server that another one has replaced', async () => {
  const { server } = tmux();
  const before = await open();
  rmSync(before.socketPath);
  // As a person does who finds no server.
  await spawnRunner(server).run([['start-server']], { starting: true });
  const after = await open();
  expect(after.pid).not.toBe(before.pid);
  expect(hasEnded(before.pid)).toBe(true);
  expect(await readIdentity(spawnRunner(server))).toEqual(after);
});

it('ends a server that does not make its socket again', async () => {
  const before = await open();
  process.kill(before.pid, 'SIGSTOP');
  rmSync(before.socketPath);
  expect(await reclaimServer(tmux().server, 100)).toBe(false);
  expect(hasEnded(before.pid)).toBe(true);
  expect((await open()).pid).not.toBe(before.pid);
});

it("never touches a person's server", async () => {
  const { server } = tmux();
  const { pid, socketPath } = await open();
  rmSync(socketPath);
  const theirs = { ...server, owner: 'theirs' } as const;
  await expect(tmux().driver({ server: theirs })).rejects.toMatchObject({ code: 'no_server' });
  expect(existsSync(socketPath)).toBe(false);
  process.kill(pid, 0);
});
