import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { PathText } from '../views/refs.ts';

export const daemonDoctor = defineMethod({
  name: 'daemon.doctor',
  summary: 'Check what devflow needs, from inside the daemon',
  params: z.strictObject({
    strict: z.boolean().default(false),
    /** Instead of the checks: one `warn` for each orphaned worktree; `detail` is its path. */
    listOrphans: z.boolean().default(false),
    /** Instead of the checks: starts each installed agent in a scratch directory, without a prompt. */
    agents: z.boolean().default(false),
    /** Instead of the checks: `pass` for each database whose home is gone that can be removed; `warn` if it is kept. */
    removeOrphanedData: z.boolean().default(false),
    /** With `removeOrphanedData`: the `name` of each result that a person has confirmed. Only those are removed. */
    confirmed: z.array(z.string().max(100)).max(10_000).default([]),
    /** The person's directory, as an absolute path. Absent: that of the process which checks. */
    cwd: PathText.optional(),
  }),
  result: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['pass', 'warn', 'fail']),
      detail: z.string(),
      remediation: z.string().nullable(),
    }),
  ),
  changes: { if: 'removeOrphanedData', ofAnyHome: true },
  caller: 'person',
  paramNames: ['strict', 'listOrphans', 'agents', 'removeOrphanedData', 'confirmed', 'cwd'],
  errors: [],
});
