import { z } from 'zod';

/** What the daemon did at its start with the agents of open runs: a count for each outcome. */
export const AdoptionCounts = z.object({
  adopted: z.number().int().describe('survived the last daemon and are watched again'),
  resumed: z.number().int().describe('were gone and have been restarted'),
  waiting: z.number().int().describe('are gone; their run waits at a gate and restarts them after it'),
  resting: z.number().int().describe('are gone; their run restarts them when it needs them and a slot is free'),
  pending: z.number().int().describe('are being searched for or restarted now'),
});
export type AdoptionCounts = z.infer<typeof AdoptionCounts>;

/** How many agents work, how many wait for a slot, and how many may work at once. */
export const SlotCounts = z.object({
  atWork: z.number().int(),
  waiting: z.number().int(),
  limit: z.number().int(),
});
export type SlotCounts = z.infer<typeof SlotCounts>;
