import { z } from 'zod';

/** What the daemon did at its start with the agents of open runs: a count for each outcome. */
export const AdoptionCounts = z.object({
  adopted: z.number().int().describe('survived the last daemon and are watched again'),
  resumed: z.number().int().describe('were gone and have been restarted'),
  waiting: z.number().int().describe('are gone; their run waits at a gate and restarts them after it'),
  resting: z.number().int().describe('are gone; their run restarts them when it needs them'),
  pending: z.number().int().describe('are being searched for or restarted now'),
});
export type AdoptionCounts = z.infer<typeof AdoptionCounts>;
