import { z } from 'zod';

/** Why a worktree or a branch of an ended run stays. */
export const WhyKept = z.enum([
  'uncommitted',
  'nested_repository',
  'only_here',
  'squash',
  'checked_out',
  'moved',
  'worktree_stays',
  'base_of_run',
  'other_host',
  'repository_gone',
  'failed',
]);
export type WhyKept = z.infer<typeof WhyKept>;

/** A worktree or a branch of an ended run. */
export const Leftover = z.object({
  what: z.enum(['worktree', 'branch']),
  /** The worktree; null for a branch. */
  path: z.string().nullable(),
  /** The branch, also of a worktree; null if HEAD is detached there. */
  branch: z.string().nullable(),
  /** The commit of the branch; null without one. */
  head: z.string().nullable(),
  /** The files of the worktree; null if they were not counted. */
  bytes: z.number().int().nullable(),
});
export type Leftover = z.infer<typeof Leftover>;

/** What goes of an ended run, and what stays. */
export const EndOfRun = z.object({
  runId: z.string(),
  title: z.string(),
  repoPath: z.string(),
  goes: z.array(Leftover),
  kept: z.array(Leftover.extend({ why: WhyKept, reason: z.string() })),
  /** Refs to commits that no branch has, made before their worktree went. Absent if there are none. */
  keptRefs: z.array(z.string()).optional(),
});
export type EndOfRun = z.infer<typeof EndOfRun>;

/** How much ended runs left on this host. */
export const EndsCount = z.object({
  worktrees: z.number().int(),
  branches: z.number().int(),
  bytes: z.number().int(),
  atLeast: z.boolean().describe('the time to count was over before everything was counted'),
});
export type EndsCount = z.infer<typeof EndsCount>;
