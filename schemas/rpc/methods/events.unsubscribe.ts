import { z } from 'zod';
import { defineMethod } from '../contract.ts';

export const eventsUnsubscribe = defineMethod({
  name: 'events.unsubscribe',
  summary: 'End a subscription of this connection',
  params: z.strictObject({ subscriptionId: z.string() }),
  result: z.object({ subscriptionId: z.string(), ended: z.boolean() }),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['subscriptionId'],
  errors: [],
});
