import { randomUUID } from 'node:crypto';
import type { Client } from '../../cli/client/connect.ts';
import { followRun } from '../../cli/run/followRun.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { Place } from './place.ts';

const LAST = ['run.completed', 'run.failed', 'run.paused'];

/** Plays a run to its end and approves its plan. Returns its events. Throws if another gate opens or it fails. */
export async function playRun(
  place: Place,
  client: Client,
  request: Pick<RpcParams<'run.start'>, 'repo' | 'template' | 'backend'> & { requirements?: string },
): Promise<EventView[]> {
  const started = await client.call('run.start', { requirements: 'Nothing.', ...request });
  if (!('runId' in started)) throw new Error('not started');
  const { runId } = started;
  const events: EventView[] = [];
  const end = new AbortController();
  const approve = (approvalId: string) =>
    client
      .call('approval.decide', { approvalId, action: 'approve', clientToken: randomUUID() })
      .catch((error) => end.abort(error));
  await followRun({
    connect: place.connect,
    runId,
    afterSeq: 0,
    signal: end.signal,
    onEvent(event) {
      events.push(event);
      if (LAST.includes(event.type)) return end.abort();
      if (event.type !== 'approval.requested') return;
      const { gateKey, approvalRequestId } = event.payload;
      if (gateKey === 'plan_approved') void approve(String(approvalRequestId));
      else end.abort();
    },
  });
  const last = events.at(-1);
  if (last?.type !== 'run.completed') {
    throw new Error(`the run ended with ${JSON.stringify(last)}`, { cause: end.signal.reason });
  }
  return events;
}

/** When an event was recorded, in milliseconds. */
export function timeOf(event: EventView | undefined): number {
  if (!event) throw new Error('an event is missing');
  return Date.parse(event.ts);
}
