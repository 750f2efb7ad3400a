import { z } from 'zod';
import { GitRef } from './refs.ts';
import { StartSettings } from './repository.ts';

/** The change that a run reviews. */
export const ChangeRequest = z.strictObject({
  base: GitRef.optional().describe(
    'what to compare with, from the merge base on; absent: the main branch; for staged and worktree, HEAD',
  ),
  head: GitRef.optional().describe('the newest commit to review; absent: HEAD'),
  of: z
    .enum(['commits', 'staged', 'worktree'])
    .optional()
    .describe('what to review: commits (default), staged changes, or all uncommitted changes'),
});
export type ChangeRequest = z.infer<typeof ChangeRequest>;

/** The content of the person's checkout that the run's worktree will lack. */
export const StartNotes = z.object({
  /** Uncommitted files of the checkout: how many, and the first names. Null if git cannot tell. */
  uncommitted: z.object({ count: z.number().int(), files: z.array(z.string()) }).nullable(),
  /** Submodules of the base commit. `reason` says why a submodule stays empty; null if it has its files. */
  submodules: z.array(z.object({ path: z.string(), reason: z.string().nullable() })),
  /** The same in sentences: what is left out, and what to do. */
  warnings: z.array(z.string()),
  /** The settings of the repository, as the run uses them. Absent: the run has none. */
  settings: StartSettings.optional(),
});
export type StartNotes = z.infer<typeof StartNotes>;
