import { z } from 'zod';
import { defineEvent, type KeyFacts } from '../../events/define.ts';
import { EvaluationStatus, Measurement, StopReason, Verdict } from '../../objective/measured.ts';

/** The id of the evaluation: an attempt of a phase of kind `evaluate`. */
const iterationId = z.string();
const part = z.enum(['train', 'validation', 'holdout', 'all']);

/** The agent's expectation of its change, before it makes it. */
export const Hypothesis = z.strictObject({
  hypothesis: z.string(),
  /** Ids of clusters. */
  evidence: z.array(z.string()),
  expect: z.strictObject({ metric: z.string(), direction: z.enum(['up', 'down']), size: z.number() }),
  paths: z.array(z.string()),
});

const Started = z.strictObject({
  iterationId,
  attempt: z.number().int().positive(),
  /** 0: the state before the first change. */
  iteration: z.number().int().nonnegative(),
  commit: z.string(),
  tree: z.string(),
  /** The hash of all protected files. */
  protectedHash: z.string(),
  hypothesis: Hypothesis.nullable(),
  /** An agent's forbidden changes, in sentences. At most 20. */
  tampered: z.array(z.string()),
  /** The evaluation of the same tree, which is not measured again. */
  sameAs: z.string().nullable(),
});

const Measured = z.strictObject({
  iterationId,
  commandId: z.string(),
  part,
  measurement: Measurement,
  /** The hash of all protected files after the command. */
  protectedHash: z.string(),
});

const Completed = z.strictObject({
  iterationId,
  status: EvaluationStatus,
  /** Why it is not valid. */
  reason: z.string().nullable(),
  /** The means of the judged part. */
  metrics: z.record(z.string(), z.number()),
  /** The standard deviation of each metric that was measured more than once. */
  deviations: z.record(z.string(), z.number()),
});

const Evaluated = z.strictObject({
  iterationId,
  targets: z.array(Verdict),
  guards: z.array(Verdict),
  /** On the holdout; null while it is closed. */
  holdout: z.array(Verdict).nullable(),
  /** The met part of the weight. */
  weighted: z.number(),
  isMet: z.boolean(),
  /** Later iterations build on it. */
  isKept: z.boolean(),
  /** The gain of the primary metric over the best before, in the wanted direction; null if unknown. */
  gain: z.number().nullable(),
  /** The gain must exceed this. */
  needed: z.number(),
  /** Why it is kept, or not. */
  reason: z.string(),
  /** The best evaluation so far; null if none is valid. */
  best: z.string().nullable(),
  stop: z.strictObject({ reason: StopReason, detail: z.string() }).nullable(),
});

const perIteration =
  (type: string) =>
  ({ payload }: KeyFacts<{ iterationId: string }>) =>
    `${type}:${payload.iterationId}`;

/** devflow's measurements, and the verdicts on them. */
export const backtestEvents = [
  defineEvent('backtest.iteration_started', Started, perIteration('backtest.iteration_started')),
  defineEvent('backtest.measured', Measured, ({ payload }) => `backtest.measured:${payload.commandId}`),
  defineEvent('backtest.iteration_completed', Completed, perIteration('backtest.iteration_completed')),
  defineEvent('backtest.objective_evaluated', Evaluated, perIteration('backtest.objective_evaluated')),
] as const;
