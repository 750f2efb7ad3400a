import { z } from 'zod';

export const SetupCommand = z.strictObject({
  argv: z.array(z.string()).min(1),
  /** Skipped if `directory` of the checkout was cloned, and `lock` has the same bytes in checkout and worktree. */
  unlessCloned: z.strictObject({ directory: z.string(), lock: z.string() }).optional(),
});
export type SetupCommand = z.infer<typeof SetupCommand>;

/** The set-up of the worktrees of a run. Paths are relative to the root of the checkout and of the worktree. */
export const WorktreeSetup = z.strictObject({
  /** True if devflow guessed the commands from lock files and manifests. */
  isGuess: z.boolean(),
  /** Paths or globs of ignored files of the checkout, which are copied; also those of `.worktreeinclude`. */
  copy: z.array(z.string()),
  /** The same for large directories: copy-on-write where the disk can. */
  clone: z.array(z.string()),
  /** One place for all worktrees. */
  link: z.array(z.string()),
  commands: z.array(SetupCommand),
  /** Paths whose bytes are inputs of the set-up. It is done again when one of them differs. */
  again: z.array(z.string()),
  /** Commands before the worktree is removed. */
  teardown: z.array(z.array(z.string()).min(1)),
  /** Variables that get a free port of the worktree's own. */
  ports: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});
export type WorktreeSetup = z.infer<typeof WorktreeSetup>;
