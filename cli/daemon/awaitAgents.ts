import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '../../schemas/counted.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io.ts';
import { createLiveLine } from '../print/liveLine.ts';

type Status = RpcResult<'daemon.status'>;

/** Bringing a real agent back takes seconds; a start is not held up for longer. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 100;

/** The status of a daemon that has just started, once it knows what became of its agents, or some seconds later. */
export async function awaitAgents(io: Io, client: Client, first: Status): Promise<Status> {
  const end = Date.now() + PATIENCE_MS;
  // On standard error, so that what is printed in the end can be read by a program.
  const line = createLiveLine({ out: io.err, outIsTty: io.errIsTty, columns: io.columns });
  let status = first;
  while (status.agents.pending > 0 && Date.now() < end) {
    const { pending } = status.agents;
    line.show((seconds) => `Bringing ${counted(pending, 'agent')} back… ${seconds} s`);
    await pause(LOOK_MS);
    status = await client.call('daemon.status');
  }
  line.end();
  return status;
}
