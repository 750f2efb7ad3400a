import { z } from 'zod';
import { defineEvent, type KeyFacts } from './define.ts';

const laneId = z.string();
/** Counts the set-ups of the lane. */
const nth = z.number().int().positive();
const perSetup =
  (type: string) =>
  ({ runId, payload }: KeyFacts<{ laneId: string; nth: number }>) =>
    `${type}:${runId}:${payload.laneId}:${payload.nth}`;

/** Something of the person's checkout that the worktree got. */
export const PlacedPath = z.strictObject({
  path: z.string(),
  how: z.enum(['copied', 'cloned', 'linked']),
  files: z.number().int().nonnegative(),
  bytes: z.number().nonnegative(),
  /** The disk keeps the bytes once until one of both changes. */
  shared: z.literal(true).optional(),
});
export type PlacedPath = z.infer<typeof PlacedPath>;

/** A path that the worktree did not get, and why. */
export const RefusedPath = z.strictObject({ path: z.string(), reason: z.string() });
export type RefusedPath = z.infer<typeof RefusedPath>;

/** A command of a guessed set-up that failed in a worktree of devflow's own. What followed ran without it. */
export const FailedSetup = z.strictObject({
  argv: z.array(z.string()),
  /** Null if a signal ended it. */
  exitCode: z.number().int().nullable(),
  reason: z.string(),
  stdoutPath: z.string(),
  stderrPath: z.string(),
  /** The last lines of its output. */
  tail: z.string().optional(),
});
export type FailedSetup = z.infer<typeof FailedSetup>;

/** The set-up of a worktree. Its commands have events of their own, of kind `setup`. */
export const worktreeEvents = [
  defineEvent(
    'worktree.placed',
    z.strictObject({
      laneId,
      nth,
      /** The hash of what a set-up depends on. */
      inputs: z.string(),
      /** At most 200. */
      placed: z.array(PlacedPath),
      /** At most 200. */
      refused: z.array(RefusedPath),
      /** By variable. They stay the same for the lane. */
      ports: z.record(z.string(), z.number().int().positive()),
      /** Other variables of its agents and commands: they keep git to what devflow excludes there. Absent: none. */
      env: z.record(z.string(), z.string()).optional(),
      /** Those that must run now. */
      commands: z.array(z.array(z.string()).min(1)),
      ms: z.number().int().nonnegative(),
    }),
    perSetup('worktree.placed'),
  ),
  defineEvent(
    'worktree.set_up',
    z.strictObject({
      laneId,
      nth,
      ok: z.boolean(),
      /** Why it failed, or why the worktree has none. */
      reason: z.string().optional(),
      /** The hash of what it depended on, as it is now. */
      inputs: z.string().optional(),
      /** Tracked files that it changed, and that devflow put back. At most 200. */
      changed: z.array(z.string()),
      /** Files that it made, git does not ignore, and no commit gets. At most 200. */
      excluded: z.array(z.string()),
      ms: z.number().int().nonnegative(),
      /** A person goes on without it. */
      withoutSetup: z.literal(true).optional(),
    }),
    perSetup('worktree.set_up'),
  ),
  /** The set-up of this number does not hold any more, so the worktree is set up again. */
  defineEvent('worktree.outdated', z.strictObject({ laneId, nth, reason: z.string() }), perSetup('worktree.outdated')),
] as const;

export const checkoutEvents = [
  /** While an agent worked, the person's own checkout changed. Nobody knows who wrote there. */
  defineEvent(
    'checkout.changed',
    z.strictObject({
      paths: z.array(z.string()),
      /** Another commit is checked out. */
      headMoved: z.boolean(),
      laneId: z.string(),
      /** The task, or the phase where it commits for all. */
      assignment: z.string(),
      attempt: z.number().int().positive(),
    }),
    ({ phaseId, payload: { assignment, attempt } }) => `checkout.changed:${phaseId}:${assignment}:${attempt}`,
  ),
] as const;
