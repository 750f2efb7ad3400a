import { z } from 'zod';

/** What the person's checkout has and the worktree of a run will not have. */
export const StartNotes = z.object({
  /** Changed, deleted and untracked files of the checkout, and the names of the first; null where git cannot tell. */
  uncommitted: z.object({ count: z.number().int(), files: z.array(z.string()) }).nullable(),
  /** Submodules of the base commit. `reason`: why the directory of one stays empty; null for one with its files. */
  submodules: z.array(z.object({ path: z.string(), reason: z.string().nullable() })),
  /** The same in sentences: what stays out, and what to do. Empty when nothing does. */
  warnings: z.array(z.string()),
});
export type StartNotes = z.infer<typeof StartNotes>;
