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
    /** Instead of the checks: removes the data of embedded databases whose home is gone. */
    removeOrphanedData: z.boolean().default(false),
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
  caller: { person: 'if', param: 'removeOrphanedData' },
  paramNames: ['strict', 'listOrphans', 'agents', 'removeOrphanedData', 'cwd'],
  errors: [],
});
