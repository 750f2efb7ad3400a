import { z } from 'zod';
import { Slug } from '../../definitions/phase/templatePhase.ts';
import { RunState } from '../../enums.ts';
import { defineAct, defineMethod, defineRead } from '../contract.ts';
import { DiffView } from '../views/approval.ts';
import { MovedBranch } from '../views/movedBranch.ts';
import { PathText, RunRef } from '../views/refs.ts';

/** The way of the work to the person's branch. `auto` is fast-forward if possible, else merge. */
export const ApplyWay = z.enum(['auto', 'merge', 'squash', 'branch']);
export type ApplyWay = z.infer<typeof ApplyWay>;

/** The plan of an apply, or with `applied` its result. */
export const ApplyPlan = z.object({
  runId: z.string(),
  runState: RunState,
  /** The checkout. */
  repoPath: z.string(),
  /** The branch that takes the work: with the way `branch` the new one. Null if HEAD is detached. */
  target: z.string().nullable(),
  /** Its commit before the apply; null if it has none. */
  onto: z.string().nullable(),
  /** The newest commit of the work. */
  head: z.string(),
  /** The branch's difference from the approved commit; null if there is none. An older daemon does not say. */
  moved: MovedBranch.nullish(),
  does: z.enum(['fast_forward', 'merge', 'squash', 'branch', 'nothing']),
  /** The effect of the apply, or why there is nothing to do, in a sentence. */
  sentence: z.string(),
  /** The newest of the applied commits; `commitCount` counts all. */
  commits: z.array(z.object({ commit: z.string(), subject: z.string() })),
  commitCount: z.number().int(),
  totals: z.object({ files: z.number().int(), insertions: z.number().int(), deletions: z.number().int() }),
  /** Warnings for a person before, in sentences. */
  notes: z.array(z.string()),
  /** Why the apply is impossible now; null if it is possible. */
  blocked: z.object({ code: z.string(), message: z.string(), hint: z.string(), files: z.array(z.string()) }).nullable(),
  /** Shell lines that do the same by hand. */
  lines: z.array(z.string()),
  applied: z.boolean(),
  /** The commit of the target after the apply. */
  commit: z.string().nullable(),
});
export type ApplyPlan = z.infer<typeof ApplyPlan>;

/** The first digits of a commit's id. */
const CommitStart = z.string().regex(/^[0-9a-f]{7,64}$/, 'give at least the first 7 digits of a commit id');

export const runApply = defineMethod({
  name: 'run.apply',
  summary: "Bring a run's work to the branch that is checked out, or to a new branch",
  params: z.strictObject({
    runId: RunRef,
    way: ApplyWay.default('auto'),
    /** Name of the new branch, for the way `branch`. */
    branch: z.string().min(1).max(250).optional(),
    /** Another worktree of the run's repository, instead of its checkout. */
    repo: PathText.optional(),
    /** Previews the apply and changes nothing. */
    dryRun: z.boolean().default(false),
    /** The commits that the person agreed to. If target or work moved since, the apply does nothing. */
    agreed: z.object({ target: z.string().nullable(), onto: z.string().nullable(), head: z.string() }).optional(),
    head: CommitStart.optional().describe('the commit of the branch to accept, also if it came after the approval'),
    at: CommitStart.optional().describe('the approved commit to apply, wherever the branch is now'),
  }),
  result: ApplyPlan,
  answeredBy: { hostOf: 'runId', elsewhere: 'refuse' },
  changes: { unless: 'dryRun' },
  caller: 'person',
  errors: [
    ...(['not_found', 'ambiguous_id', 'state_conflict', 'usage', 'repo_invalid', 'branch_missing'] as const),
    ...(['branch_moved', 'checkout_unready', 'apply_conflict', 'branch_exists', 'git_failed'] as const),
  ],
});

export const runDiff = defineRead({
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
  errors: ['not_found', 'ambiguous_id', 'branch_missing', 'git_failed'],
});

export const runCleanup = defineAct({
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
  errors: ['not_found', 'ambiguous_id', 'worktree_dirty', 'state_conflict'],
});
