import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { FindingView } from '../views/findings.ts';
import { RunRef } from '../views/refs.ts';
import { ReviewSummary } from '../views/reviews.ts';

export const runFindings = defineMethod({
  name: 'run.findings',
  summary: 'List what the reviewers of a run found, and what became of it',
  params: z.strictObject({ runId: RunRef }),
  result: z.object({
    runId: z.string(),
    findings: z.array(FindingView),
    /** The result of each review phase that has begun. An older daemon does not say. */
    reviews: z.array(ReviewSummary).optional(),
    /** Warnings about the review, for a person who wants to trust it, as sentences. */
    notes: z.array(z.string()),
  }),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id'],
});
