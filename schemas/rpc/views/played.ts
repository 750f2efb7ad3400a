import { z } from 'zod';
import { RunState } from '../../enums.ts';

/** The result of a run with fake agents. */
export const Played = z.strictObject({
  /** It completed. */
  ok: z.boolean(),
  state: RunState,
  /** The gates at which it stopped, in order. */
  gates: z.array(z.string()),
  /** The commands that devflow ran. The exit code is null if it has none. */
  commands: z.array(z.strictObject({ argv: z.array(z.string()), exitCode: z.number().int().nullable() })),
  sentence: z.string(),
});
export type Played = z.infer<typeof Played>;
