import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, connect } from '../../../cli/client/connect.ts';
import { followRun } from '../../../cli/run/followRun.ts';
import { createEventMethods } from '../../../daemon/api/events/eventMethods.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import { createSubscriptions } from '../../../daemon/events/subscriptions.ts';
import type { Handlers } from '../../../daemon/rpc/handlers.ts';
import type { RpcServer } from '../../../daemon/rpc/server.ts';
import { startRpc } from '../../../daemon/rpc/start.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { eventually } from '../../helpers/eventually.ts';

let directory: string;
let socketPath: string;
const clients: Client[] = [];
const servers: RpcServer[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'devflow-client-'));
  socketPath = join(directory, 'd.sock');
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) await server.close(100);
  rmSync(directory, { recursive: true });
});

/** A daemon with a log that outlives it, as Postgres does. */
async function daemon(log: RunEvent[] = [], { losesDatabase = false } = {}) {
  const bus = createBus();
  const subscriptions = createSubscriptions({
    bus,
    readEvents: async (_run, afterSeq, limit) => log.filter((event) => event.seq > afterSeq).slice(0, limit),
    readLastSeq: async () => log.length,
    onError: (error) => expect.unreachable(String(error)),
  });
  const ids = {
    run: async (ref: string) => {
      if (losesDatabase) throw new Error('Connection terminated unexpectedly');
      if ('run-1'.startsWith(ref)) return 'run-1';
      throw new DevflowError('not_found', `no run begins with ${ref}`, { data: { ref } });
    },
  };
  const handlers = {
    ...createEventMethods({ ids, subscriptions }),
    'run.list': () => [],
    'run.get': async ({ runId }: { runId: string }) => ids.run(runId),
    'policy.check': ({ argv }: { argv: string[] }) => ({ allowed: argv[0] !== 'rm', rule: null, reason: 'r' }),
  } as unknown as Handlers;
  const server = await startRpc({ socketPath, handlers, log: { error: () => {} } });
  servers.push(server);
  const commit = () => {
    const seq = log.length + 1;
    const ts = new Date(seq).toISOString();
    const event: RunEvent = {
      runId: 'run-1',
      seq,
      type: 'run.completed',
      phaseId: null,
      payload: {},
      idempotencyKey: `k${seq}`,
      ts,
    };
    log.push(event);
    bus.publish({ runId: 'run-1', events: [event], changes: { phases: [], approvals: [], sessions: [] } });
  };
  return { server, commit, subscriptions };
}

async function connected() {
  const client = await connect(socketPath);
  clients.push(client);
  return client;
}

describe('the client', () => {
  it('calls with types and gives errors as the daemon threw them', async () => {
    await daemon();
    const client = await connected();
    expect(await client.call('run.list')).toEqual([]);
    expect((await client.call('policy.check', { argv: ['rm'] })).allowed).toBe(false);
    const error = await client.call('run.get', { runId: 'x' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DevflowError);
    expect(error).toMatchObject({
      code: 'not_found',
      exitCode: 4,
      data: { ref: 'x' },
      message: 'no run begins with x',
    });
    await expect(client.request('policy.check', {})).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
    await expect(client.request('no.such')).rejects.toMatchObject({ code: 'usage', data: { rpcCode: -32601 } });
  });

  it('says that no daemon runs', async () => {
    await expect(connect(socketPath)).rejects.toMatchObject({ code: 'daemon_not_running', exitCode: 1 });
  });

  it('fails waiting calls when the connection closes', async () => {
    const silent = createServer((socket) => socket.once('data', () => socket.destroy())).listen(socketPath);
    await once(silent, 'listening');
    const client = await connected();
    await expect(client.call('run.list')).rejects.toMatchObject({ code: 'daemon_not_running' });
    await client.closed;
    await expect(client.call('run.list')).rejects.toMatchObject({ code: 'daemon_not_running' });
    await new Promise((resolve) => silent.close(resolve));
  });

  it('reports that its message was too large', async () => {
    await daemon();
    const client = await connected();
    const text = 'x'.repeat(9 * 1024 * 1024);
    await expect(client.call('template.validate', { text })).rejects.toMatchObject({ code: 'frame_too_large' });
  });

  it('gets every event of a subscription until it closes, also events in the packet of the reply', async () => {
    const { commit, subscriptions } = await daemon();
    for (let index = 0; index < 3; index += 1) commit();
    const client = await connected();
    const seqs: number[] = [];
    const subscription = await client.subscribe({ runId: 'run', afterSeq: 1 }, (notification) => {
      if (notification.event === 'run.event_appended') seqs.push(notification.data.seq);
    });
    expect(subscription).toMatchObject({ runId: 'run-1', afterSeq: 1 });
    commit();
    await eventually(() => expect(seqs).toEqual([2, 3, 4]));
    await subscription.close();
    expect(subscriptions.count()).toBe(0);
  });

  it('closes every subscription', async () => {
    const { subscriptions } = await daemon();
    const client = await connected();
    await client.subscribe({}, () => {});
    expect(subscriptions.count()).toBe(1);
    client.close();
    await eventually(() => expect(subscriptions.count()).toBe(0));
  });
});

/** Follows `run-1`. It tries again when the test says so. */
function followed(afterSeq = 0) {
  const seqs: number[] = [];
  const counts = { reconnects: 0, restores: 0, waits: 0 };
  const stopping = new AbortController();
  let retry = () => {};
  const ended = followRun({
    connect: () => connect(socketPath),
    runId: 'run-1',
    afterSeq,
    onEvent: (event) => seqs.push(event.seq),
    onReconnect: () => {
      counts.reconnects += 1;
    },
    onRestored: () => {
      counts.restores += 1;
    },
    signal: stopping.signal,
    wait() {
      counts.waits += 1;
      return new Promise((resolve) => (retry = resolve));
    },
  });
  return {
    seqs,
    counts,
    ended,
    retry: () => retry(),
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

describe('followRun', () => {
  it('continues after the last seq when the daemon is back, without gaps or doubles', async () => {
    const log: RunEvent[] = [];
    const first = await daemon(log);
    first.commit();
    const follower = followed();
    const { seqs, counts } = follower;
    first.commit();
    await eventually(() => expect(seqs).toEqual([1, 2]));
    await first.server.close();
    first.commit();
    const second = await daemon(log);
    await eventually(() => {
      follower.retry();
      expect(seqs).toEqual([1, 2, 3]);
    });
    second.commit();
    await eventually(() => expect(seqs).toEqual([1, 2, 3, 4]));
    expect(counts).toMatchObject({ reconnects: 1, restores: 0 });
    await follower.stop();
    await eventually(() => expect(second.subscriptions.count()).toBe(0));
  });

  it('says that a backup was restored, and follows the other log from its first event', async () => {
    const log: RunEvent[] = [];
    const first = await daemon(log);
    for (let nth = 0; nth < 4; nth += 1) first.commit();
    const follower = followed();
    const { seqs, counts } = follower;
    await eventually(() => expect(seqs).toEqual([1, 2, 3, 4]));
    await first.server.close();
    const restored = log.slice(0, 2);
    const second = await daemon(restored);
    await eventually(() => {
      follower.retry();
      expect(seqs).toEqual([1, 2, 3, 4, 1, 2]);
    });
    expect(counts.restores).toBe(1);
    second.commit();
    await eventually(() => expect(seqs.at(-1)).toBe(3));
    await follower.stop();
  });

  it('misses no event of a restored log, although it had received none', async () => {
    const log: RunEvent[] = [];
    const first = await daemon(log);
    for (let nth = 0; nth < 4; nth += 1) first.commit();
    const follower = followed(4);
    const { seqs, counts } = follower;
    await eventually(() => expect(first.subscriptions.count()).toBe(1));
    await first.server.close();
    const second = await daemon(log.slice(0, 2));
    await eventually(() => {
      follower.retry();
      expect(counts.reconnects).toBe(1);
    });
    second.commit();
    second.commit();
    await eventually(() => expect(seqs).toEqual([3, 4]));
    second.commit();
    await eventually(() => expect(seqs).toEqual([3, 4, 5]));
    await follower.stop();
  });

  it('waits for the next daemon when one has lost its database', async () => {
    const log: RunEvent[] = [];
    const first = await daemon(log);
    first.commit();
    const follower = followed();
    const { seqs, counts } = follower;
    await eventually(() => expect(seqs).toEqual([1]));
    await first.server.close();
    first.commit();
    const second = await daemon(log, { losesDatabase: true });
    await eventually(() => expect(counts.waits).toBe(1));
    follower.retry();
    await Promise.race([follower.ended, eventually(() => expect(counts.waits).toBe(2))]);
    await second.server.close();
    await daemon(log);
    follower.retry();
    await eventually(() => expect(seqs).toEqual([1, 2]));
    await follower.stop();
  });

  it('fails if there is no daemon or no such run at the start', async () => {
    const options = { connect: () => connect(socketPath), onEvent: () => {}, signal: new AbortController().signal };
    await expect(followRun({ ...options, runId: 'run-1' })).rejects.toMatchObject({ code: 'daemon_not_running' });
    await daemon();
    await expect(followRun({ ...options, runId: 'zz' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

/** A socket that passes all on to a daemon, and counts what the client sends. */
async function relayTo(daemonSocket: string): Promise<{ path: string; requests(): number }> {
  const path = `${daemonSocket}.relay`;
  let requests = 0;
  const server = createServer((near) => {
    const far = createConnection(daemonSocket);
    near.on('data', () => (requests += 1));
    near.on('error', () => far.destroy());
    near.pipe(far).pipe(near);
  }).listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { path, requests: () => requests };
}

describe('a daemon that does not answer', () => {
  const listeners: ChildProcess[] = [];
  afterEach(() => {
    for (const child of listeners.splice(0)) child.kill('SIGKILL');
  });
  /** A process that listens there, and answers nothing. */
  async function silent(): Promise<number> {
    const script = `require('net').createServer(() => {}).listen(${JSON.stringify(socketPath)}, () => console.log('up'))`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    listeners.push(child);
    await once(child.stdout, 'data');
    writeFileSync(`${socketPath}.pid`, `${child.pid}\n`);
    return child.pid as number;
  }
  const quick = { lookMs: 20, giveUpMs: 50 };

  it('that is stopped: names it, and how to continue it', async () => {
    const pid = await silent();
    process.kill(pid, 'SIGSTOP');
    const client = await connect(socketPath, { lookMs: 20, giveUpMs: 60_000 });
    await expect(client.call('daemon.status')).rejects.toMatchObject({
      code: 'daemon_unresponsive',
      message: `the daemon (pid ${pid}) does not answer: it is stopped (state T)`,
      recoveryHint: expect.stringContaining(`kill -CONT ${pid}`),
    });
    process.kill(pid, 'SIGCONT');
  });

  it('that hangs: gives up after a question that every daemon answers at once', async () => {
    await silent();
    const client = await connect(socketPath, quick);
    await expect(client.call('daemon.status')).rejects.toMatchObject({ code: 'daemon_unresponsive' });
  });

  it('whose file names a process that is gone: advises to kill none', async () => {
    await silent();
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(`${socketPath}.pid`, `${gone}\n`);
    const client = await connect(socketPath, quick);
    const error = await client.call('daemon.status').catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'daemon_unresponsive',
      message: `the daemon on ${socketPath} does not answer`,
    });
    expect(error.recoveryHint).not.toContain('kill');
  });

  it('that works on a long call: waits for it', async () => {
    let answer = (_: unknown[]) => {};
    const slow = new Promise<unknown[]>((resolve) => (answer = resolve));
    const handlers = { 'run.list': () => slow } as unknown as Handlers;
    const server = await startRpc({ socketPath, handlers, log: { error: () => {} } });
    servers.push(server);
    const relay = await relayTo(socketPath);
    const client = await connect(relay.path, { lookMs: 20, giveUpMs: 20_000 });
    clients.push(client);
    let isOver = false;
    const calling = client.call('run.list').finally(() => (isOver = true));
    await eventually(() => expect(relay.requests()).toBeGreaterThan(4));
    expect(isOver).toBe(false);
    answer([]);
    await calling;
  });
});
