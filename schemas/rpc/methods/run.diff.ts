import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { DiffView } from '../views/approval.ts';
import { RunRef } from '../views/refs.ts';

export const runDiff = defineMethod({
  name: 'run.diff',
  summary: "Read what a run's branch changes against its base commit",
  params: z.strictObject({ runId: RunRef }),
  /** Of very many files not all are in `files`; `totals` counts them all. */
  result: DiffView.extend({
    runId: z.string(),
    /** Null where the branch is gone; its last commit is shown then. */
    branch: z.string().nullable(),
    totals: z.object({ files: z.number().int(), insertions: z.number().int(), deletions: z.number().int() }),
    /** The overview of `git diff --stat`. */
    stat: z.string(),
    /** Files of the worktree that no commit has, and so are not in here; null where there is no worktree. */
    uncommittedFiles: z.number().int().nullable(),
  }),
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id', 'branch_missing', 'git_failed'],
});
