import { requireRepository } from '../../contracts/contractPorts.ts';
import type { Subscriptions } from '../../events/subscriptions.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import { type Ids, runNamed } from '../lookup/ids.ts';

/** A subscription lasts as long as its connection. It starts after the reply, so that no event overtakes it. */
export function createEventMethods({
  ids,
  subscriptions,
}: {
  ids: Pick<Ids, 'run'>;
  subscriptions: Subscriptions;
}): HandlersOf<'events'> {
  return {
    'events.subscribe': async ({ runId: ref, afterSeq, afterTs, kinds, repo }, call) => {
      if (repo !== undefined) requireRepository(repo);
      const runId = (await runNamed(ids, ref)) ?? null;
      const opened = await subscriptions.open({ runId, afterSeq, afterTs, kinds, repo }, call.peer.sink);
      call.peer.hold(opened);
      call.afterReply(opened.start);
      return { subscriptionId: opened.id, runId, afterSeq: opened.afterSeq };
    },
    'events.unsubscribe': ({ subscriptionId }, call) => ({
      subscriptionId,
      ended: call.peer.release(subscriptionId),
    }),
  };
}
