import { z } from 'zod';
import { RunState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { RunRef } from '../views/refs.ts';

/** How the work comes to the person's branch. `auto` is fast-forward where that is possible, else merge. */
export const ApplyWay = z.enum(['auto', 'merge', 'squash', 'branch']);
export type ApplyWay = z.infer<typeof ApplyWay>;

/** What applying would do, and with `applied` what it did. */
export const ApplyPlan = z.object({
  runId: z.string(),
  runState: RunState,
  /** The checkout. */
  repoPath: z.string(),
  /** The branch that takes the work; null where HEAD is detached. With `branch`, the new one. */
  target: z.string().nullable(),
  /** Its commit before; null where there is none. */
  onto: z.string().nullable(),
  /** The newest commit of the work. */
  head: z.string(),
  does: z.enum(['fast_forward', 'merge', 'squash', 'branch', 'nothing']),
  /** What it does, or why there is nothing to do, in a sentence. */
  sentence: z.string(),
  /** The newest commits that come along, newest first; `commitCount` counts all. */
  commits: z.array(z.object({ commit: z.string(), subject: z.string() })),
  commitCount: z.number().int(),
  totals: z.object({ files: z.number().int(), insertions: z.number().int(), deletions: z.number().int() }),
  /** What a person should know before, each in a sentence. */
  notes: z.array(z.string()),
  /** Why it cannot be done now; null when it can. */
  blocked: z.object({ code: z.string(), message: z.string(), hint: z.string(), files: z.array(z.string()) }).nullable(),
  /** The same by hand: lines for a shell. */
  lines: z.array(z.string()),
  applied: z.boolean(),
  /** The commit of the target afterwards. */
  commit: z.string().nullable(),
});
export type ApplyPlan = z.infer<typeof ApplyPlan>;

export const runApply = defineMethod({
  name: 'run.apply',
  summary: "Bring a run's work to the branch that is checked out, or to a new branch",
  params: z.strictObject({
    runId: RunRef,
    way: ApplyWay.default('auto'),
    /** The new branch, with the way `branch`. */
    branch: z.string().min(1).max(250).optional(),
    /** The checkout, where it is another worktree of the run's repository. */
    repo: z.string().min(1).optional(),
    /** Says what would be done, and changes nothing. */
    dryRun: z.boolean().default(false),
    /** What the person agreed to: where target or work moved since, nothing is done. */
    agreed: z.object({ target: z.string().nullable(), onto: z.string().nullable(), head: z.string() }).optional(),
  }),
  result: ApplyPlan,
  paramNames: ['runId', 'way', 'branch', 'repo', 'dryRun', 'agreed'],
  errors: [
    ...(['not_found', 'ambiguous_id', 'state_conflict', 'usage', 'repo_invalid', 'branch_missing'] as const),
    ...(['checkout_unready', 'apply_conflict', 'branch_exists', 'git_failed'] as const),
  ],
});
