import { z } from 'zod';
import { RunState } from '../../enums.ts';
import { Hypothesis } from '../../kinds/evaluate/events.ts';
import { Measurement, Mined, StopReason, Verdict } from '../../objective/measured.ts';

/** `running`: it is not judged yet. */
export const IterationStatus = z.enum(['running', 'valid', 'invalid', 'tampered']);
export type IterationStatus = z.infer<typeof IterationStatus>;

/** An iteration in a list; 0 is the state before the first change. */
export const IterationRow = z.strictObject({
  iteration: z.number(),
  /** The attempt of its phase: an iteration that failed can be measured again. */
  attempt: z.number(),
  status: IterationStatus,
  /** The primary metric on the judged part; null if unknown. */
  value: z.number().nullable(),
  /** Null unless it was measured more than once. */
  deviation: z.number().nullable(),
  /** Over the best before, in the direction that is wanted. */
  gain: z.number().nullable(),
  /** The gain must exceed this. */
  needed: z.number().nullable(),
  targetsMet: z.number(),
  isKept: z.boolean(),
  isMet: z.boolean(),
  /** Why it is kept, or not; null while it runs. */
  reason: z.string().nullable(),
  hypothesis: Hypothesis.pick({ hypothesis: true, expect: true }).nullable(),
  /** The change of the hypothesis's metric over the best before; null if that is unknown. */
  seen: z.number().nullable(),
  stop: z.strictObject({ reason: StopReason, detail: z.string() }).nullable(),
});
export type IterationRow = z.infer<typeof IterationRow>;

/** Everything about one iteration. */
export const IterationDetail = IterationRow.extend({
  hypothesis: Hypothesis.nullable(),
  iterationId: z.string(),
  commit: z.string(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  metrics: z.record(z.string(), z.number()),
  deviations: z.record(z.string(), z.number()),
  /** Why metrics have no value. */
  absent: z.record(z.string(), z.string()),
  targets: z.array(Verdict),
  guards: z.array(Verdict),
  /** Null while the holdout is closed, and until the run has ended. */
  holdout: z.array(Verdict).nullable(),
  /** The losses in the part that agents learn from. */
  mined: Mined.nullable(),
  equity: Measurement.shape.equity,
  /** The number of runs of the command. */
  measurements: z.number(),
});
export type IterationDetail = z.infer<typeof IterationDetail>;

/** A run that is judged by measurements. */
export const LoopSummary = z.strictObject({
  runId: z.string(),
  state: RunState,
  template: z.string(),
  repoPath: z.string(),
  metric: z.string(),
  better: z.enum(['higher', 'lower']),
  targets: z.number(),
  /** Without the base. */
  iterations: z.number(),
  /** The value of the primary metric at the base; null until it is judged. */
  base: z.number().nullable(),
  best: z.strictObject({ iteration: z.number(), value: z.number(), targetsMet: z.number() }).nullable(),
  stop: StopReason.nullable(),
  createdAt: z.string(),
});
export type LoopSummary = z.infer<typeof LoopSummary>;
