import { z } from 'zod';

/** Where a run that has not begun stands among all that wait on its host. */
export const QueuePlace = z.object({
  position: z.number().int().positive(),
  of: z.number().int().positive(),
  /** The run that must be completed or applied first. Absent: none, or it was. */
  after: z.string().optional(),
});
export type QueuePlace = z.infer<typeof QueuePlace>;

/** The numbers of runs at work and queued, and the limit of those at work. */
export const PlaceCounts = z.object({
  atWork: z.number().int(),
  queued: z.number().int(),
  limit: z.number().int(),
});
export type PlaceCounts = z.infer<typeof PlaceCounts>;
