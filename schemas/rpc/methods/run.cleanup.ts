import { z } from 'zod';
import { Slug } from '../../definitions/template.ts';
import { defineMethod } from '../contract.ts';
import { RunRef } from '../views/refs.ts';

export const runCleanup = defineMethod({
  name: 'run.cleanup',
  summary: 'Remove the worktrees of a finished run; a dirty one needs a gate',
  params: z.strictObject({
    runId: RunRef,
    /** A name, never a path: what it leads to is removed. */
    lane: Slug.optional(),
    force: z.boolean().default(false),
  }),
  result: z.object({
    runId: z.string(),
    removed: z.array(z.object({ path: z.string(), branch: z.string().nullable() })),
    /** Not there any more: an earlier cleanup took it. */
    gone: z.array(z.object({ path: z.string() })),
    /** Refs to commits that no branch has; absent if there are none. */
    keptRefs: z.array(z.string()).optional(),
    kept: z.array(z.object({ path: z.string(), reason: z.string() })),
    /** The gate that was opened because something was dirty. */
    approvalId: z.string().nullable(),
  }),
  paramNames: ['runId', 'lane', 'force'],
  errors: ['not_found', 'ambiguous_id', 'worktree_dirty', 'state_conflict'],
});
