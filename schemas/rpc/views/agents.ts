import { z } from 'zod';

/** The fate of open runs' agents at the daemon's start: a count for each outcome. */
export const AdoptionCounts = z.object({
  adopted: z.number().int().describe('survived the last daemon and are watched again'),
  resumed: z.number().int().describe('were gone and have been restarted'),
  waiting: z.number().int().describe('are gone; their run waits at a gate and restarts them after it'),
  resting: z.number().int().describe('are gone; their run restarts them when it needs them and a slot is free'),
  pending: z.number().int().describe('are being searched for or restarted now'),
});
export type AdoptionCounts = z.infer<typeof AdoptionCounts>;

/** The numbers of agents at work and waiting for a slot, and the limit of those at work. */
export const SlotCounts = z.object({
  atWork: z.number().int(),
  waiting: z.number().int(),
  limit: z.number().int(),
});
export type SlotCounts = z.infer<typeof SlotCounts>;
