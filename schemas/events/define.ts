import type { z } from 'zod';

/** The facts for a key formula. It uses no clock and no random value. */
export interface KeyFacts<P> {
  runId: string;
  phaseId: string | null;
  payload: P;
}

export interface EventDefinition<T extends string = string, S extends z.ZodType = z.ZodType> {
  type: T;
  payload: S;
  /** The deterministic idempotency key. The same fact always has the same key. */
  key(facts: KeyFacts<z.infer<S>>): string;
}

/** Declares an event: its payload and the formula of its idempotency key. */
export function defineEvent<T extends string, S extends z.ZodType>(
  type: T,
  payload: S,
  key: (facts: KeyFacts<z.infer<S>>) => string,
): EventDefinition<T, S> {
  return { type, payload, key };
}
