import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { spawnRunner } from '../../tmux/server/spawnRunner.ts';
import { readIdentity, startServer } from '../../tmux/server/startServer.ts';
import { atLeast } from '../helpers/tmuxActs.ts';
import { useTmuxServer } from '../helpers/tmuxServer.ts';
import { until } from '../helpers/until.ts';

/**
 * The sixth sequence that ends a tmux server (found by the torture of deliveries, named by a build of 3.3a with an address
 * sanitizer: `control_write` from `control_notify_session_window_changed`, and from its siblings; 3.5a reads the same).
 */
const tmux = useTmuxServer();

const PROTOCOL_VERSION = 8;
const MSG_IDENTIFY_LONGFLAGS = 111;
const CLIENT_CONTROL = 0x2000n;

/** The first words of `tmux -C`: it is a control client. Who it is comes later. */
function saysControl(): Buffer {
  const message = Buffer.alloc(24);
  message.writeUInt32LE(MSG_IDENTIFY_LONGFLAGS, 0);
  message.writeUInt16LE(message.length, 4);
  message.writeUInt32LE(PROTOCOL_VERSION, 8);
  message.writeUInt32LE(process.pid, 12);
  message.writeBigUInt64LE(CLIENT_CONTROL, 16);
  return message;
}

it('kills a server by a new session during the connect of a control client', async () => {
  const server = tmux().another('own');
  const { version } = await startServer(server);
  if (atLeast(version, 3, 6) !== false) return;
  const runner = spawnRunner(server);
  const { socketPath } = await readIdentity(runner);
  await runner.run([['new-session', '-d', '--', 'sleep', '1000']]);
  const socket = connect(socketPath);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await new Promise((resolve) => socket.write(saysControl(), resolve));
  await runner.run([['new-session', '-d', '--', 'sleep', '1000']]).catch(() => {});
  await expect(readIdentity(runner)).rejects.toMatchObject({ code: 'no_server' });
});

it('runs nothing else while it connects', async () => {
  const driver = await tmux().driver();
  const before = await driver.readIdentity();
  for (let round = 0; round < 15; round += 1) {
    // Its connection is lost, and while another is made sessions come and go.
    const clients = await driver.run([['list-clients', '-F', '#{client_pid}']]);
    for (const client of clients) process.kill(Number(client), 'SIGKILL');
    await until('it is lost', () => !driver.state.up);
    await Promise.all(
      Array.from({ length: 8 }, async (_, nth) => {
        const [made] = await driver.run([
          ['new-session', '-d', '-P', '-F', '#{session_id}', '-s', `s${round}-${nth}`, '--', 'sleep', '1000'],
        ]);
        await driver.run([['new-window', '-t', `${made}:`, '--', 'sleep', '1000']]);
        await driver.run([['kill-session', '-t', String(made)]]);
      }),
    );
  }
  expect(await driver.readIdentity()).toEqual(before);
});
