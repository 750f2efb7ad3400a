import { z } from 'zod';
import { defineEvent, type KeyFacts } from './define.ts';

const perAttempt =
  (type: string) =>
  ({ phaseId, payload }: KeyFacts<{ attempt: number }>) =>
    `${type}:${phaseId}:${payload.attempt}`;

const attempt = z.number().int().positive();

/** devflow's commit at the end of a phase. `commit` is null if the agent changed nothing. */
export const CommittedWork = z.strictObject({
  commit: z.string().nullable(),
  files: z.number().int(),
  insertions: z.number().int(),
  deletions: z.number().int(),
  /** Repositories inside the worktree, including filled submodules. No commit has their files. Absent if there are none. */
  nestedRepositories: z.array(z.string()).optional(),
  /** Files that a set-up copied or made, and that the agent committed all the same. No commit of the branch has it. */
  leftOut: z.array(z.string()).optional(),
  /** devflow's check of the commit against the manifests of the plan's steps. */
  audits: z
    .array(
      z.strictObject({
        step: z.number().int().positive(),
        result: z.enum(['pass', 'fail', 'pass-with-note', 'n/a']),
        faults: z.array(z.string()),
      }),
    )
    .optional(),
  /** The commits of the plan's steps, in their order. Only of steps that have changes of their own. */
  steps: z.array(z.strictObject({ step: z.number().int().positive(), commit: z.string() })).optional(),
  /** The changes by git; at most 1,000 files. Only where the files of a contract have them. */
  changes: z.array(z.strictObject({ path: z.string(), action: z.enum(['create', 'modify', 'delete']) })).optional(),
});
export type CommittedWork = z.infer<typeof CommittedWork>;

export const phaseEvents = [
  defineEvent(
    'phase.started',
    z.strictObject({
      attempt,
      /** Why this attempt: `first`, `changes_requested`, `retry`. */
      cause: z.enum(['first', 'changes_requested', 'retry']),
      /** The person's comment, if they requested changes. */
      changeRequest: z.string().optional(),
    }),
    perAttempt('phase.started'),
  ),
  defineEvent(
    'phase.completed',
    z.strictObject({ attempt, work: CommittedWork.nullable() }),
    perAttempt('phase.completed'),
  ),
  defineEvent(
    'phase.failed',
    z.strictObject({
      attempt,
      code: z.string(),
      reason: z.string(),
      /** Sessions that failed with the phase. */
      sessionIds: z.array(z.string()),
    }),
    perAttempt('phase.failed'),
  ),
  defineEvent(
    'phase.skipped',
    z.strictObject({
      attempt,
      reason: z.string(),
      /** The fact or the rule that shows it. */
      evidence: z.string().optional(),
    }),
    perAttempt('phase.skipped'),
  ),
  /** The agent's own report of its progress. No decision depends on it. */
  defineEvent(
    'phase.progressed',
    z.strictObject({
      attempt,
      nth: z.number().int().positive(),
      number: z.number().int().nonnegative(),
      name: z.string(),
      detail: z.string(),
    }),
    ({ phaseId, payload }: KeyFacts<{ attempt: number; nth: number }>) =>
      `phase.progressed:${phaseId}:${payload.attempt}:${payload.nth}`,
  ),
] as const;
