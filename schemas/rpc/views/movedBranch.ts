import { z } from 'zod';

/** How the branch of an ended run differs from what is approved. */
export const MovedBranch = z.object({
  /** The newest commit that devflow made, or that a person approved at a gate. */
  approved: z.string(),
  head: z.string(),
  /** False if somebody set the branch back or rewrote it. */
  hasApproved: z.boolean(),
  /** The newest of the commits after the approved one; `commitCount` counts all. */
  commits: z.array(z.object({ commit: z.string(), subject: z.string() })),
  commitCount: z.number().int(),
});
export type MovedBranch = z.infer<typeof MovedBranch>;
