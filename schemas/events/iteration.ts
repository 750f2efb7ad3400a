import { z } from 'zod';
import { defineEvent, type KeyFacts } from './define.ts';

/** Counts the rounds of a phase, over all its attempts. */
const round = z.number().int().positive();
/** Counts the turns of the phases that the template's `iterate` names. */
const iteration = z.number().int().positive();

const RoundStarted = z.strictObject({ round, reason: z.enum(['full', 'delta', 'closing', 'changes_requested']) });
const IterationStarted = z.strictObject({
  iteration,
  /** A person's request in addition. */
  extension: z.string().optional(),
});
const RoundCompleted = z.strictObject({
  round,
  outcome: z.enum(['pass', 'again', 'accepted', 'findings']),
  reason: z.string(),
});
const IterationCompleted = z.strictObject({
  iteration,
  resolved: z.boolean(),
  /** The open issues. At most 100. */
  issues: z.array(z.string()),
});

export type RoundStarted = z.infer<typeof RoundStarted>;
export type RoundCompleted = z.infer<typeof RoundCompleted>;

const perRound =
  (type: string) =>
  ({ runId, phaseId, payload }: KeyFacts<{ round: number } | { iteration: number }>) =>
    'round' in payload ? `${type}:${phaseId}:${payload.round}` : `${type}:${runId}:${payload.iteration}`;

/** A phase that repeats has rounds, and phases that repeat together have iterations. */
export const iterationEvents = [
  defineEvent('iteration.started', z.union([RoundStarted, IterationStarted]), perRound('iteration.started')),
  defineEvent('iteration.completed', z.union([RoundCompleted, IterationCompleted]), perRound('iteration.completed')),
] as const;
