import { z } from 'zod';

/** The content of the person's checkout that the run's worktree will lack. */
export const StartNotes = z.object({
  /** Uncommitted files of the checkout: how many, and the first names. Null if git cannot tell. */
  uncommitted: z.object({ count: z.number().int(), files: z.array(z.string()) }).nullable(),
  /** Submodules of the base commit. `reason` says why a submodule stays empty; null if it has its files. */
  submodules: z.array(z.object({ path: z.string(), reason: z.string().nullable() })),
  /** The same in sentences: what is left out, and what to do. */
  warnings: z.array(z.string()),
});
export type StartNotes = z.infer<typeof StartNotes>;
