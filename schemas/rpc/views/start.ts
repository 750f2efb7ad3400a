import { z } from 'zod';

/** The change that a run reviews. */
export const ChangeRequest = z.strictObject({
  base: z
    .string()
    .min(1)
    .optional()
    .describe('what to compare with, from the merge base on; absent: the main branch; for staged and worktree, HEAD'),
  head: z.string().min(1).optional().describe('the newest commit to review; absent: HEAD'),
  of: z
    .enum(['commits', 'staged', 'worktree'])
    .optional()
    .describe('what to review: commits (default), staged changes, or all uncommitted changes'),
});
export type ChangeRequest = z.infer<typeof ChangeRequest>;
