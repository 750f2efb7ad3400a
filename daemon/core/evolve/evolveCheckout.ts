import type { RunEvent } from '../../../schemas/events/index.ts';
import type { Run } from '../run/state.ts';

/** Records what happened in the person's checkout while agents worked. */
export function evolveCheckout(run: Run, { ts: at, payload }: Extract<RunEvent, { type: 'checkout.changed' }>): Run {
  return { ...run, checkoutChanges: [...run.checkoutChanges, { ...payload, at }] };
}
