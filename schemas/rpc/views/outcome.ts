import { z } from 'zod';

/** What a completed run that only reviews says about the change. */
export const RunOutcome = z.object({
  /** `rehearsal`: `fake` was among the reviewers, so nothing is known about the change. */
  word: z.enum(['passed', 'blocked', 'accepted', 'rehearsal']),
  /** Findings and failed checks that keep the change from passing. */
  blockers: z.number().int().nonnegative(),
});
export type RunOutcome = z.infer<typeof RunOutcome>;
