import { z } from 'zod';

/** What became of the agents that open runs had when the daemon started: how many of each. */
export const AdoptionCounts = z.object({
  adopted: z.number().int().describe('outlived the last daemon and are watched again'),
  resumed: z.number().int().describe('were gone and have been brought back'),
  waiting: z.number().int().describe('are gone; their run waits behind a gate, and brings them back after it'),
  resting: z.number().int().describe('are gone; their run brings them back when it needs them'),
  pending: z.number().int().describe('are being looked for or brought back just now'),
});
export type AdoptionCounts = z.infer<typeof AdoptionCounts>;
