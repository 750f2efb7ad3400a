import { z } from 'zod';
import { defineEvent, type KeyFacts } from './define.ts';

/** Counts the rounds of a phase that repeats, over all its attempts. */
const round = z.number().int().positive();
const perRound =
  (type: string) =>
  ({ phaseId, payload }: KeyFacts<{ round: number }>) =>
    `${type}:${phaseId}:${payload.round}`;

export const iterationEvents = [
  defineEvent(
    'iteration.started',
    z.strictObject({ round, reason: z.enum(['full', 'delta', 'closing', 'changes_requested']) }),
    perRound('iteration.started'),
  ),
  defineEvent(
    'iteration.completed',
    z.strictObject({ round, outcome: z.enum(['pass', 'again', 'accepted', 'findings']), reason: z.string() }),
    perRound('iteration.completed'),
  ),
] as const;
