import { setTimeout as pause } from 'node:timers/promises';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { steadyNow } from '../../schemas/time/steadyTime.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';
import { createLiveLine } from '../print/liveLine.ts';

type Status = RpcResult<'daemon.status'>;

/** Resuming a real agent takes seconds. `devflow up` waits no longer than this. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 100;

/** Waits until a daemon that has just started has adopted or resumed its agents, or until a deadline. Returns its status. */
export async function awaitAgents(io: Io, client: Client, first: Status): Promise<Status> {
  const end = steadyNow() + PATIENCE_MS;
  // On standard error, so that programs can read the result.
  const line = createLiveLine({ out: io.err, outIsTty: io.errIsTty, columns: io.columns });
  let status = first;
  while (status.agents.pending > 0 && steadyNow() < end) {
    const { pending } = status.agents;
    line.show((seconds) => `Resuming ${counted(pending, 'agent')}… ${seconds}s`);
    await pause(LOOK_MS);
    status = await client.call('daemon.status');
  }
  line.end();
  return status;
}
