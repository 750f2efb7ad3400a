import type { Handler } from '../ports.ts';

export const eventsSubscribe: Handler<'events.subscribe'> = async (
  { runId: ref, afterSeq, kinds },
  { reads, subscriptions, call },
) => {
  const runId = ref === undefined ? null : await reads.resolveRun(ref);
  const opened = await subscriptions.open({ runId, afterSeq, kinds }, call.peer.sink);
  call.peer.hold(opened);
  call.afterReply(opened.start);
  return { subscriptionId: opened.id, runId, afterSeq: opened.afterSeq };
};
