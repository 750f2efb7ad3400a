import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEventMethods } from '../../daemon/api/events/eventMethods.ts';
import { createCommitter } from '../../daemon/db/committer.ts';
import { createBus } from '../../daemon/events/bus.ts';
import { createSubscriptions } from '../../daemon/events/subscriptions.ts';
import type { Handlers } from '../../daemon/rpc/handlers.ts';
import { startRpc } from '../../daemon/rpc/start.ts';
import { createRunLog } from '../../daemon/store/runLog.ts';
import type { RunEvent } from '../../schemas/events/index.ts';
import { makeRuns, withDatabase } from './database.ts';
import { makeDirectory } from './place.ts';

/**
 * The server of the row `subscribe`. Its first line names the socket and the run. For each line on standard input it
 * commits EVENTS events and prints one line with their times. It ends with its input.
 */
const EVENTS = 500;
const PAUSE_MS = 2;

await withDatabase(async (database, epoch) => {
  const [run] = await makeRuns(database, 1);
  if (!run) throw new Error('no run');
  const committer = createCommitter(database.connection, { epoch });
  const { readEvents, readLastSeq } = createRunLog(database.pool, committer);
  const bus = createBus();
  const subscriptions = createSubscriptions({
    bus,
    readEvents,
    readLastSeq,
    onError: (error) => {
      throw error;
    },
  });
  const directory = makeDirectory();
  const socketPath = join(directory, 'run', 'bench.sock');
  const handlers = createEventMethods({ ids: { run: async (ref) => ref }, subscriptions }) as Handlers;
  const rpc = await startRpc({ socketPath, handlers, log: { warn: console.error, error: console.error } as never });
  console.log(JSON.stringify({ socketPath, runId: run.id }));

  for await (const _ of createInterface({ input: process.stdin })) {
    const times: { seq: number; asked: string; durable: string }[] = [];
    for (let i = 0; i < EVENTS; i += 1) {
      const transition = run.next(false);
      const asked = process.hrtime.bigint();
      const { seqs } = await committer.commit(transition);
      const durable = process.hrtime.bigint();
      const [seq = 0] = seqs;
      const [{ key: idempotencyKey, ...event } = {} as never] = transition.events;
      bus.publish({
        runId: run.id,
        events: [{ ...event, runId: run.id, seq, idempotencyKey } as unknown as RunEvent],
        changes: { phases: [], approvals: [], sessions: [] },
      });
      times.push({ seq, asked: String(asked), durable: String(durable) });
      await sleep(PAUSE_MS);
    }
    console.log(JSON.stringify(times));
  }
  subscriptions.close();
  await rpc.close();
  await committer.close();
  rmSync(directory, { recursive: true, force: true });
});
