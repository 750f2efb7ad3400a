import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, connect as netConnect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { whileConnected } from '../../../daemon/api/backtest/whileConnected.ts';
import { createDispatch, type Route } from '../../../daemon/rpc/dispatch.ts';
import { FRAME_LIMITS, type FrameLimits } from '../../../daemon/rpc/frameBudget.ts';
import type { Call } from '../../../daemon/rpc/peer.ts';
import { type RpcServer, serve } from '../../../daemon/rpc/server.ts';
import { defineMethod } from '../../../schemas/rpc/contract.ts';
import { createFrameDecoder } from '../../../schemas/rpc/framing.ts';
import { eventually } from '../../helpers/eventually.ts';

let directory: string;
let socketPath: string;
const servers: RpcServer[] = [];
const sockets: Socket[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'devflow-rpc-'));
  socketPath = join(directory, 'run', 'd.sock');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    await server.close(100);
    expect(server.connections()).toBe(0);
  }
  rmSync(directory, { recursive: true });
});

/** A server with an echo, a counter of calls, and a call that waits to be let go. */
async function given(path = socketPath, limits: Partial<FrameLimits> = {}) {
  const counts = { calls: 0, ended: 0 };
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const Anything = z.strictObject({ value: z.unknown().optional() });
  const add = (name: string, handle: (params: { value?: unknown }, call: Call) => unknown): [string, Route<Call>] => {
    const method = defineMethod({
      name,
      summary: '',
      params: Anything,
      result: z.unknown(),
      changes: 'nothing',
      caller: 'anyone',
    });
    return [name, { method, handle: handle as Route<Call>['handle'] }];
  };
  const routes = new Map([
    add('echo', ({ value }) => {
      counts.calls += 1;
      return value;
    }),
    add('wait', () => held),
    add('work', (_, { peer }) =>
      whileConnected(peer, async (signal) => {
        signal.addEventListener('abort', () => (counts.ended += 1));
        await held;
        return counts.ended;
      }),
    ),
    add('big', () => {
      counts.calls += 1;
      return 'x'.repeat(100_000);
    }),
  ]);
  const dispatch = createDispatch(routes, { error: () => {} });
  const server = await serve({
    socketPath: path,
    dispatch,
    contextOf: (call) => call,
    limits: { ...FRAME_LIMITS, ...limits },
  });
  servers.push(server);
  return { server, counts, letGo };
}

async function client(path = socketPath) {
  const socket = netConnect(path);
  sockets.push(socket);
  await once(socket, 'connect');
  const replies: { id?: unknown; result?: unknown; error?: { code: number; data?: { code?: string } } }[] = [];
  const decoder = createFrameDecoder();
  socket.on('data', (chunk) => decoder.push(chunk as Buffer, (frame) => replies.push(JSON.parse(frame))));
  socket.on('error', () => {});
  const say = (message: unknown) =>
    socket.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  return { socket, replies, say };
}

const call = (id: number, method: string, value?: unknown) => ({ jsonrpc: '2.0', id, method, params: { value } });

/** The socket file that a killed daemon leaves behind. */
function deadSocket(): string {
  const path = join(directory, 's');
  const listen = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listen]);
  expect(statSync(path).isSocket()).toBe(true);
  return path;
}

describe('the socket', () => {
  it('is for this user alone and disappears with the server', async () => {
    const { server } = await given();
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'run')).mode & 0o777).toBe(0o700);
    await server.close();
    expect(statSync(socketPath, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('is taken over from a dead daemon, never from a live one', async () => {
    const path = deadSocket();
    const { counts } = await given(path);
    await expect(given(path)).rejects.toMatchObject({ code: 'daemon_running', exitCode: 3 });
    const { say, replies } = await client(path);
    say(call(1, 'echo', 'still here'));
    await eventually(() => expect(replies).toEqual([{ jsonrpc: '2.0', id: 1, result: 'still here' }]));
    expect(counts.calls).toBe(1);
    expect(readdirSync(directory)).toEqual(['s', 's.pid']);
  });

  it.each(['dead', 'absent'])('goes to exactly one of many servers that start at once if it is %s', async (what) => {
    const path = what === 'dead' ? deadSocket() : socketPath;
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => given(path)));
    const lost = starts.filter((start) => start.status === 'rejected');
    expect(lost).toHaveLength(7);
    for (const { reason } of lost) expect(reason).toMatchObject({ code: 'daemon_running' });
    const { say, replies } = await client(path);
    say(call(1, 'echo', 1));
    await eventually(() => expect(replies).toHaveLength(1));
  });

  it('is refused if a file is in the way, the path is too long or others may enter', async () => {
    writeFileSync(join(directory, 'file'), '');
    await expect(given(join(directory, 'file'))).rejects.toMatchObject({ code: 'config_invalid' });
    await expect(given(join(directory, 'x'.repeat(107)))).rejects.toThrow(/at most \d+ fit/);
    await expect(given(join(tmpdir(), 'devflow-test.sock'))).rejects.toMatchObject({ code: 'workspace_permissions' });
  });

  it('is taken over when nobody listens and the file was moved', async () => {
    const foreign = createServer().listen(join(directory, 'f'));
    await once(foreign, 'listening');
    await expect(given(join(directory, 'f'))).rejects.toMatchObject({ code: 'daemon_running' });
    await new Promise((resolve) => foreign.close(resolve));
    await given(join(directory, 'f'));
  });
});

describe('a connection', () => {
  it('answers pipelined requests, batches and broken lines', async () => {
    await given();
    const { say, replies } = await client();
    say(
      `{"jsonrpc":"2.0","id":1,"method":"echo","params":["a"]}\nnot json\n[]\n[${JSON.stringify(call(2, 'echo', 'b'))}]\n`,
    );
    await eventually(() => expect(replies).toHaveLength(4));
    expect(replies).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 1, result: 'a' },
        expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
        expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
        [{ jsonrpc: '2.0', id: 2, result: 'b' }],
      ]),
    );
  });

  it('gets its answers after it closed its sending side', async () => {
    const { letGo } = await given();
    const { socket, replies, say } = await client();
    say(call(1, 'wait'));
    socket.end(`${JSON.stringify(call(2, 'echo', 'last'))}\n`);
    await eventually(() => expect(replies).toHaveLength(1));
    letGo();
    await once(socket, 'close');
    expect(replies.map((reply) => reply.id)).toEqual([2, 1]);
  });

  it('that is gone ends the work that it waited for, but not one that only closed its sending side', async () => {
    const { letGo, counts, server } = await given();
    const [patient, gone] = [await client(), await client()];
    patient.say(call(1, 'work'));
    patient.socket.end();
    gone.say(call(1, 'work'));
    gone.say(call(2, 'echo', 'it has begun'));
    await eventually(() => expect(gone.replies).toHaveLength(1));
    gone.socket.destroy();
    await eventually(() => expect([counts.ended, server.connections()]).toEqual([1, 1]));
    letGo();
    await once(patient.socket, 'close');
    expect(patient.replies).toEqual([{ jsonrpc: '2.0', id: 1, result: 1 }]);
  });

  it('that sends a frame of 100 MB gets one clear error and costs at most the limit', async () => {
    const { server } = await given();
    const { socket, replies } = await client();
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    socket.setMaxListeners(0);
    const before = process.memoryUsage().rss;
    for (let sent = 0; sent < 100 && socket.writable; sent += 1) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
    await eventually(() => expect(server.connections()).toBe(0));
    expect(replies).toHaveLength(1);
    expect(replies[0]).toMatchObject({ id: null, error: { code: -32000, data: { code: 'frame_too_large' } } });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('that leaves messages unfinished shares one limit with all others; the slowest is refused', async () => {
    const totalBytes = 1_000_000;
    const { server } = await given(socketPath, { totalBytes });
    const half = 'x'.repeat(300_000);
    const clients: Awaited<ReturnType<typeof client>>[] = [];
    let most = 0;
    for (let nth = 0; nth < 10; nth += 1) {
      const each = await client();
      clients.push(each);
      each.say(`${half}${nth}`);
      const expected = Math.min(nth + 1, 3) * 300_001;
      await eventually(() => expect(server.bufferedBytes()).toBe(expected));
      most = Math.max(most, server.bufferedBytes());
    }
    expect(most).toBeLessThanOrEqual(totalBytes);
    await eventually(() =>
      expect(clients.map(({ replies }) => replies.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0, 0]),
    );
    expect(clients[0]?.replies[0]?.error?.data?.code).toBe('frame_too_large');
    const honest = await client();
    honest.say(call(1, 'echo', half));
    await eventually(() => expect(honest.replies).toMatchObject([{ id: 1, result: half }]));
    for (const { socket } of clients) socket.destroy();
    await eventually(() => expect(server.bufferedBytes()).toBe(0));
  });

  it('that is too slow with one message is refused, but not one that pauses between two', async () => {
    const { server } = await given(socketPath, { frameMs: 50 });
    const [slow, resting] = [await client(), await client()];
    resting.say(call(1, 'echo', 'a'));
    slow.say(`${JSON.stringify(call(1, 'echo', 'whole'))}\n{"half`);
    await eventually(() => expect(slow.replies).toHaveLength(2));
    expect(slow.replies[1]?.error?.data?.code).toBe('frame_too_large');
    expect(server.bufferedBytes()).toBe(0);
    resting.say(call(2, 'echo', 'b'));
    await eventually(() => expect(resting.replies).toMatchObject([{ result: 'a' }, { result: 'b' }]));
  });

  it('over the limit is refused with a reason', async () => {
    await given(socketPath, { connections: 1 });
    const [first, second] = [await client(), await client()];
    await eventually(() => expect(second.replies[0]?.error?.data?.code).toBe('too_many_connections'));
    first.say(call(1, 'echo', 'served'));
    await eventually(() => expect(first.replies).toMatchObject([{ result: 'served' }]));
  });

  it('that does not read its answers is not read until it reads again', async () => {
    const { counts } = await given();
    const { socket, replies, say } = await client();
    socket.pause();
    for (let id = 1; id <= 600; id += 1) say(call(id, 'big', 'y'.repeat(1000)));
    let last = -1;
    let steadyFor = 0;
    await eventually(() => {
      steadyFor = counts.calls > 0 && counts.calls === last ? steadyFor + 1 : 0;
      last = counts.calls;
      expect(steadyFor).toBeGreaterThan(50);
    });
    expect(counts.calls).toBeLessThan(200);
    socket.resume();
    await eventually(() => expect(replies).toHaveLength(600));
  });
});

describe('closing', () => {
  it('lets current requests finish and takes no new ones', async () => {
    const { server, letGo } = await given();
    const { socket, replies, say } = await client();
    say(call(1, 'wait'));
    say(call(2, 'echo', 'sent'));
    await eventually(() => expect(replies).toHaveLength(1));
    const closing = server.close();
    say(call(3, 'echo', 'too late'));
    letGo();
    await closing;
    if (!socket.closed) await once(socket, 'close');
    expect(replies.map((reply) => reply.id)).toEqual([2, 1]);
    await expect(client()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('drops the remaining clients after the deadline', async () => {
    const { server } = await given();
    const { say, socket } = await client();
    say(call(1, 'wait'));
    await server.close(20);
    if (!socket.closed) await once(socket, 'close');
    expect(server.connections()).toBe(0);
  });
});
