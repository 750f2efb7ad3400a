import { z } from 'zod';

/** The difference of an ended run's branch from the approved commit. */
export const MovedBranch = z.object({
  /** Where the branch should be: the newest commit that devflow made, or that a person approved at a gate. */
  approved: z.string(),
  /** `gate`: a person approved it. `devflow`: its last commit, which no gate asked about. `start`: the run made none. */
  source: z.enum(['gate', 'devflow', 'start']),
  head: z.string(),
  /** False if somebody set the branch back or rewrote it. */
  hasApproved: z.boolean(),
  /** The newest of the commits after the approved one; `commitCount` counts all. */
  commits: z.array(z.object({ commit: z.string(), subject: z.string() })),
  commitCount: z.number().int(),
});
export type MovedBranch = z.infer<typeof MovedBranch>;

/** A commit at which the branch of an ended run may be. */
export interface AcceptedCommit {
  commit: string;
  source: MovedBranch['source'];
}
