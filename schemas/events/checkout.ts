import { z } from 'zod';
import { defineEvent } from './define.ts';

export const checkoutEvents = [
  /** While an agent worked, the person's own checkout changed. Who wrote there is not known. */
  defineEvent(
    'checkout.changed',
    z.strictObject({
      paths: z.array(z.string()),
      /** Another commit is checked out. */
      headMoved: z.boolean(),
      laneId: z.string(),
      /** The task, or the phase where it commits for all. */
      assignment: z.string(),
      attempt: z.number().int().positive(),
    }),
    ({ phaseId, payload: { assignment, attempt } }) => `checkout.changed:${phaseId}:${assignment}:${attempt}`,
  ),
] as const;
