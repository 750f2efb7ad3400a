import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createEventMethods } from '../../../daemon/api/events/eventMethods.ts';
import { createBus } from '../../../daemon/events/bus.ts';
import { createSubscriptions } from '../../../daemon/events/subscriptions.ts';
import type { Handlers } from '../../../daemon/rpc/handlers.ts';
import type { RpcServer } from '../../../daemon/rpc/server.ts';
import { startRpc } from '../../../daemon/rpc/start.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { createFrameDecoder } from '../../../schemas/rpc/framing.ts';
import { eventually } from '../../helpers/eventually.ts';

const directory = mkdtempSync(join(tmpdir(), 'devflow-subscribe-'));
const open: { server?: RpcServer; socket?: Socket } = {};

afterEach(async () => {
  open.socket?.destroy();
  await open.server?.close(100);
  rmSync(directory, { recursive: true });
});

const padding = 'p'.repeat(2000);
const eventAt = (seq: number): RunEvent => ({
  runId: 'r',
  seq,
  type: 'run.aborted',
  phaseId: null,
  payload: { reason: padding },
  idempotencyKey: `k${seq}`,
  ts: new Date(seq).toISOString(),
});

it('stops reading the log while a subscriber does not read, and loses nothing', async () => {
  const bus = createBus();
  let last = 20_000;
  let pagesRead = 0;
  const subscriptions = createSubscriptions({
    bus,
    readEvents: async (_run, afterSeq, limit) => {
      pagesRead += 1;
      const count = Math.min(limit, last - afterSeq);
      return Array.from({ length: count }, (_, index) => eventAt(afterSeq + index + 1));
    },
    readLastSeq: async () => last,
    onError: (error) => expect.unreachable(String(error)),
  });
  const handlers = createEventMethods({ ids: { run: async (ref) => ref }, subscriptions }) as Handlers;
  const socketPath = join(directory, 's');
  open.server = await startRpc({ socketPath, handlers, log: { error: () => {} } });
  const socket = connect(socketPath);
  open.socket = socket;
  await once(socket, 'connect');
  socket.pause();

  const seqs: number[] = [];
  const methods: unknown[] = [];
  const decoder = createFrameDecoder();
  socket.on('data', (chunk) =>
    decoder.push(chunk as Buffer, (frame) => {
      const message = JSON.parse(frame);
      methods.push(message.method ?? 'reply');
      if (message.params?.event === 'run.event_appended') seqs.push(message.params.data.seq);
    }),
  );
  socket.pause();
  const params = { runId: 'r', afterSeq: 0 };
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'events.subscribe', params })}\n`);

  let before = -1;
  let steadyFor = 0;
  await eventually(() => {
    steadyFor = pagesRead > 0 && pagesRead === before ? steadyFor + 1 : 0;
    before = pagesRead;
    expect(steadyFor).toBeGreaterThan(50);
  });
  expect(pagesRead).toBeLessThan(4);
  for (let count = 0; count < 5000; count += 1) {
    last += 1;
    bus.publish({ runId: 'r', events: [eventAt(last)], changes: { phases: [], approvals: [], sessions: [] } });
  }
  expect(pagesRead).toBeLessThan(4);

  socket.resume();
  await eventually(() => expect(seqs).toHaveLength(last));
  expect(seqs).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  expect(methods[0]).toBe('reply');
});
