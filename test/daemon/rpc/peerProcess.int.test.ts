import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readPeerPid } from '../../../daemon/rpc/peerProcess.ts';

let directory: string;
let server: Server;
const clients: Socket[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'devflow-peer-'));
  server = createServer().listen(join(directory, 'd.sock'));
  await once(server, 'listening');
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const client of clients.splice(0)) client.destroy();
  server.close();
  rmSync(directory, { recursive: true });
});

/** The daemon's end of a new connection of this process. */
async function accepted(): Promise<Socket> {
  const told = once(server, 'connection');
  clients.push(connect(join(directory, 'd.sock')));
  const [socket] = await told;
  clients.push(socket);
  return socket;
}

test('finds the process that connected, while it is connected', async () => {
  const socket = await accepted();
  expect(await readPeerPid(socket)).toBe(process.pid);
  socket.destroy();
  expect(await readPeerPid(socket)).toBe(0);
});

test('never mistakes another connection for a closed one', async () => {
  const [waits, goOn] = [join(directory, 'waits'), join(directory, 'go-on')];
  execFileSync('mkfifo', [goOn]);
  const perl = join(directory, 'perl');
  writeFileSync(perl, `#!/bin/sh\n: > '${waits}'\nread line < '${goOn}'\nexit 1\n`);
  chmodSync(perl, 0o755);
  vi.stubEnv('PATH', `${directory}:${process.env.PATH}`);
  const socket = await accepted();
  const asked = readPeerPid(socket);
  await expect.poll(() => existsSync(waits)).toBe(true);
  socket.destroy();
  await once(socket, 'close');
  await accepted();
  writeFileSync(goOn, '\n');
  expect(await asked).toBe(0);
});
