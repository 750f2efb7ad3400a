import { z } from 'zod';
import { Backend } from '../../enums.ts';

/** The result of a review phase. */
export const ReviewSummary = z.strictObject({
  phaseKey: z.string(),
  /** `findings`: something keeps the change from passing. `accepted`: a person let it pass with that. `open`: not over. */
  verdict: z.enum(['pass', 'findings', 'accepted', 'open']),
  /** The commit that the change is compared with. */
  base: z.string(),
  /** The newest commit that was reviewed. */
  head: z.string(),
  /** The reviewers and verifiers. */
  backends: z.array(z.strictObject({ roleId: z.string(), backend: Backend })),
  /** `fake` is one of them, so the verdict says nothing about the change. Absent otherwise. */
  rehearsal: z.literal(true).optional(),
  /** The commands that devflow ran at a reviewed commit, oldest first. */
  commands: z.array(
    z.strictObject({
      round: z.number(),
      argv: z.array(z.string()),
      /** Null if a signal ended it. */
      exitCode: z.number().nullable(),
      reason: z.string(),
      /** The finding that the command should show; null for a check of the project. */
      findingId: z.string().nullable(),
    }),
  ),
});
export type ReviewSummary = z.infer<typeof ReviewSummary>;
