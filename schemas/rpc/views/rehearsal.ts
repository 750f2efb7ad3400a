import { z } from 'zod';
import { RunState } from '../../enums.ts';

export const RehearsalCode = z.enum([
  'waits_forever',
  'never_completes',
  'loop_unbounded',
  'phase_unreachable',
  'gate_avoided',
  'backend_absent',
  'too_many_states',
]);

export const RehearsalFinding = z.strictObject({
  code: RehearsalCode,
  message: z.string(),
  /** The steps of a shortest path to it; empty if there is none. */
  path: z.array(z.string()),
});
export type RehearsalFinding = z.infer<typeof RehearsalFinding>;

/** The result of a walk of all paths of a template. */
export const Rehearsal = z.strictObject({
  template: z.strictObject({ name: z.string(), version: z.number(), hash: z.string() }),
  /** Nothing was found. */
  ok: z.boolean(),
  findings: z.array(RehearsalFinding),
  phases: z.array(z.strictObject({ key: z.string(), reached: z.boolean() })),
  gates: z.array(
    z.strictObject({
      phase: z.string(),
      gate: z.string(),
      /** True if every path to completion passes it. */
      onEveryPath: z.boolean(),
      /** The phase can have nothing to do. */
      mayBeSkipped: z.boolean(),
    }),
  ),
  paths: z.strictObject({
    /** The fewest on a path to completion, and the most if nobody asks for anything again; null: without a limit. */
    prompts: z.strictObject({ min: z.number(), max: z.number().nullable() }),
    agents: z.number(),
  }),
  states: z.number(),
  steps: z.number(),
});
export type Rehearsal = z.infer<typeof Rehearsal>;

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
