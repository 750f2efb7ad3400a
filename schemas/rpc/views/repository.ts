import { z } from 'zod';
import { ConsentView } from '../../repository/consent.ts';
import { WorktreeSetup } from '../../repository/worktreeSetup.ts';

/** A setting that holds, and why. */
const SettingRow = z.object({
  /** Dotted: `worktree.setup`. */
  key: z.string(),
  /** Commands are lists of words. */
  value: z.unknown(),
  /** The file that says so, or `guess`. */
  from: z.string(),
  /** The line of the file. */
  line: z.number().int().optional(),
  /** The reason for a guess. */
  why: z.string().optional(),
});

/** The settings of a repository, as a run would use them. */
export const StartSettings = z.object({
  rows: z.array(SettingRow),
  /** The parts that need a person's consent. A run uses only those that are allowed. */
  consents: z.array(ConsentView),
  /** The set-up of worktrees with what is allowed now; null: none. */
  setup: WorktreeSetup.nullable(),
});
export type StartSettings = z.infer<typeof StartSettings>;

export const RepositoryView = StartSettings.extend({
  repoPath: z.string(),
  name: z.string(),
  /** Null if no branch is checked out and no setting names one. */
  baseBranch: z.string().nullable(),
  /** The commit whose settings hold. */
  baseCommit: z.string(),
  /** True if that commit has a devflow.yaml. */
  hasFile: z.boolean(),
  /** The person's own file. */
  person: z.object({
    /** The file that counts, or would. */
    path: z.string(),
    /** The file that counts for this repository alone, and not for others of the same name. */
    exact: z.string(),
    exists: z.boolean(),
  }),
});
export type RepositoryView = z.infer<typeof RepositoryView>;

/** A settings file, and what is wrong with it. */
export const CheckedSettings = z.object({
  /** `devflow.yaml`, or the path of the person's file. */
  file: z.string(),
  /** The checkout as it is, or the commit that a run would read. */
  where: z.enum(['checkout', 'base', 'person']),
  /** One line each: file, line, column, key and fault. */
  faults: z.array(z.string()),
  /** A hint about a file without faults. */
  note: z.string().optional(),
});

/** The result of a set-up of a scratch worktree, and of the checks there. */
export const TriedSetup = z.object({
  /** False if a command of the set-up failed; then the only check is that command. */
  setUp: z.boolean(),
  setupMs: z.number(),
  /** Paths that came from the checkout. */
  placed: z.array(z.object({ path: z.string(), how: z.enum(['copied', 'cloned', 'linked']) })),
  /** Tracked files that the set-up changed, and that devflow puts back. */
  changed: z.array(z.string()),
  /** New files that git does not ignore. devflow never commits them. */
  excluded: z.array(z.string()),
  checks: z.array(
    z.object({
      argv: z.array(z.string()),
      ok: z.boolean(),
      /** Null if it passed. */
      reason: z.string().nullable(),
      /** The last that it printed, if it failed. */
      output: z.string(),
      ms: z.number(),
    }),
  ),
});
export type TriedSetup = z.infer<typeof TriedSetup>;
