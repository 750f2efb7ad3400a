import { z } from 'zod';
import { Slug } from '../../definitions/phaseKinds/templatePhase.ts';
import { defineMethod } from '../contract.ts';
import { RunRef } from '../views/refs.ts';

export const runCleanup = defineMethod({
  name: 'run.cleanup',
  summary: 'Remove the worktrees of an ended run; uncommitted work needs an approval first',
  params: z.strictObject({
    runId: RunRef,
    /** Absent: all lanes. A name, never a path, because devflow removes what it names. */
    lane: Slug.optional(),
    force: z.boolean().default(false),
  }),
  result: z.object({
    runId: z.string(),
    removed: z.array(z.object({ path: z.string(), branch: z.string().nullable() })),
    /** Already removed by an earlier cleanup. */
    gone: z.array(z.object({ path: z.string() })),
    /** Refs to commits that no branch contains. Absent if there are none. */
    keptRefs: z.array(z.string()).optional(),
    kept: z.array(
      z.object({
        path: z.string(),
        reason: z.string(),
        /** The gate that asks about its uncommitted work. */
        approvalId: z.string().nullable(),
      }),
    ),
    /** The first gate in `kept`. */
    approvalId: z.string().nullable(),
  }),
  answeredBy: { hostOf: 'runId', elsewhere: 'ask' },
  changes: 'something',
  caller: 'person',
  paramNames: ['runId', 'lane', 'force'],
  errors: ['not_found', 'ambiguous_id', 'worktree_dirty', 'state_conflict'],
});
