import { z } from 'zod';
import { PlacedPath, RefusedPath } from '../../events/worktree.ts';

/** The set-up of the worktree of a lane. */
export const SetupView = z.object({
  laneId: z.string(),
  /** `running`: it is being set up, or will be again. `without`: a person decided to go on without it. */
  state: z.enum(['running', 'done', 'failed', 'without']),
  /** Counts the set-ups of the lane. */
  nth: z.number().int().positive(),
  /** True if devflow guessed the commands. */
  isGuess: z.boolean(),
  reason: z.string().nullable(),
  /** The time that it took. Null while it runs. */
  ms: z.number().int().nullable(),
  placed: z.array(PlacedPath),
  refused: z.array(RefusedPath),
  ports: z.record(z.string(), z.number().int()),
  /** Tracked files that it changed, and that devflow put back. */
  changed: z.array(z.string()),
  /** New files that git does not ignore, and no commit gets. */
  excluded: z.array(z.string()),
});
export type SetupView = z.infer<typeof SetupView>;
