import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { EndOfRun } from '../views/ends.ts';
import { PathText } from '../views/refs.ts';

/** A thousand years. */
const LONGEST_MS = 1000 * 365 * 86_400_000;

/** The runs of a plan, as a person agreed to it. */
const Agreed = z.array(
  z.strictObject({
    runId: z.uuid(),
    /** What goes by its branch: one that is elsewhere now stays, with its worktree. */
    heads: z.array(z.strictObject({ branch: z.string().min(1).max(300), head: z.string().min(1).max(64) })).max(1000),
  }),
);

export const runCleanupEnded = defineMethod({
  name: 'run.cleanupEnded',
  summary: 'Remove worktrees and branches of ended runs, as far as no work is lost',
  params: z.strictObject({
    olderThanMs: z.number().int().nonnegative().max(LONGEST_MS).optional().describe('only runs that ended so long ago'),
    applied: z
      .boolean()
      .default(false)
      .describe(
        'only runs whose work is on a branch outside of devflow/: all their commits, or the squash of an apply',
      ),
    branches: z
      .boolean()
      .default(false)
      .describe('also delete branches whose commits are all on a branch outside of devflow/'),
    repo: PathText.optional().describe('only of this repository: any directory of any of its worktrees'),
    host: z.string().optional().describe('the host whose disk is meant; absent: the one that answers'),
    dryRun: z.boolean().default(false).describe('returns the plan and changes nothing'),
    agreed: Agreed.max(1000).optional().describe('only these runs of an earlier plan; absent: all that can go'),
  }),
  result: z.object({
    /** With `dryRun` `goes` is what would go, else what went. Runs of which nothing is left are absent. */
    runs: z.array(EndOfRun),
    /** Nothing is left that could go. */
    done: z.boolean(),
  }),
  answeredBy: { hostOf: 'host', elsewhere: 'ask' },
  changes: { unless: 'dryRun' },
  caller: 'person',
  errors: ['git_failed', 'not_found'],
});
