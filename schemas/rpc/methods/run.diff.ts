import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { DiffView } from '../views/approval.ts';
import { MovedBranch } from '../views/movedBranch.ts';
import { RunRef } from '../views/refs.ts';

export const runDiff = defineMethod({
  name: 'run.diff',
  summary: "Read what a run's branch changes against its base commit",
  params: z.strictObject({ runId: RunRef }),
  /** `files` may be cut; `totals` counts all files. */
  result: DiffView.extend({
    runId: z.string(),
    /** Null if the branch is gone. Then the diff ends at its last commit. */
    branch: z.string().nullable(),
    /**
     * The branch's difference from the approved commit; null if there is none, and while the run is open. An older
     * daemon does not say.
     */
    moved: MovedBranch.nullish(),
    totals: z.object({ files: z.number().int(), insertions: z.number().int(), deletions: z.number().int() }),
    /** The overview of `git diff --stat`. */
    stat: z.string(),
    /** Uncommitted files of the worktree, which the diff lacks. Null without a worktree. */
    uncommittedFiles: z.number().int().nullable(),
  }),
  answeredBy: { hostOf: 'runId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['runId'],
  errors: ['not_found', 'ambiguous_id', 'branch_missing', 'git_failed'],
});
