import { z } from 'zod';

/** The reading of a measurement. It stands in the log, so it is small whatever the tool wrote. */

const count = z.number().int().nonnegative();

/** Losing trades that have something in common. */
export const Cluster = z.strictObject({
  /** `exit_reason=stop_loss`: stable over iterations. */
  id: z.string(),
  by: z.enum(['exit_reason', 'tag', 'instrument', 'hour', 'holding']),
  value: z.string(),
  /** Losing trades in it. */
  count,
  /** Their loss together, as a magnitude. */
  loss: z.number(),
  /** The rate of losses in it, divided by the rate of losses of all trades. */
  lift: z.number(),
  /** The share of all losing trades that it has. */
  support: z.number(),
});
export type Cluster = z.infer<typeof Cluster>;

/** A fall of the equity from a peak. The bounds are points of the equity, or times where the tool has them. */
export const Drawdown = z.strictObject({ from: z.string(), to: z.string(), depth: z.number() });
export type Drawdown = z.infer<typeof Drawdown>;

/** Facts about a measurement's losses, from its trades. At most 20 clusters and 5 drawdowns. */
export const Mined = z.strictObject({
  trades: count,
  losing: count,
  clusters: z.array(Cluster),
  drawdowns: z.array(Drawdown),
});
export type Mined = z.infer<typeof Mined>;

/** One run of the command that measures. */
export const Measurement = z.strictObject({
  /** Numbers alone: a value that is no number is in `absent`. Drawdowns are magnitudes, percentages are ratios. */
  metrics: z.record(z.string(), z.number()),
  /** The largest error of a printed value, where the tool rounds: half of its last digit. */
  rounded: z.record(z.string(), z.number()),
  /** Why a metric has no value. */
  absent: z.record(z.string(), z.string()),
  seed: z.string().nullable(),
  /** The tool's own facts about its data. */
  data: z.strictObject({ sha256: z.string().optional(), from: z.string().optional(), to: z.string().optional() }),
  /** Null if the tool reports no trades. */
  mined: Mined.nullable(),
  /** At most 200 points of it. */
  equity: z.array(z.number()).nullable(),
  /** Why nothing could be read; the metrics are empty then. */
  fault: z.string().nullable(),
  /** The failure without what differs from run to run: places, times, numbers. */
  failure: z.string().nullable(),
});
export type Measurement = z.infer<typeof Measurement>;

/** A target, or a guard, and what was seen. */
export const Verdict = z.strictObject({
  metric: z.string(),
  op: z.enum(['gte', 'lte', 'eq', 'gt', 'lt']),
  target: z.number(),
  weight: z.number(),
  value: z.number().nullable(),
  /** The distance beyond the target, in the wanted direction; negative: the missing amount. Null if unknown. */
  margin: z.number().nullable(),
  state: z.enum(['met', 'missed', 'unknown']),
  /** Why it is unknown. */
  reason: z.string().nullable(),
});
export type Verdict = z.infer<typeof Verdict>;

/** Why a loop ends, the first that holds. */
export const StopReason = z.enum(['tampered', 'met', 'holdout', 'budget', 'invalid', 'plateau']);
export type StopReason = z.infer<typeof StopReason>;

export const EvaluationStatus = z.enum(['valid', 'invalid', 'tampered']);
export type EvaluationStatus = z.infer<typeof EvaluationStatus>;
