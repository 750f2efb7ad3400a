import type { Handler } from '../ports.ts';

export const eventsUnsubscribe: Handler<'events.unsubscribe'> = ({ subscriptionId }, { call }) => ({
  subscriptionId,
  ended: call.peer.release(subscriptionId),
});
