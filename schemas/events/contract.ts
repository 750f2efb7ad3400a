import { z } from 'zod';
import { ValidationError } from './artifact.ts';
import { defineEvent, type KeyFacts } from './define.ts';

/** Counts over the run. */
const nth = z.number().int().positive();
const perNth =
  (type: string) =>
  ({ runId, payload }: KeyFacts<{ nth: number }>) =>
    `${type}:${runId}:${payload.nth}`;

/** Files that devflow writes into the worktree at the place where a contract expects them. */
export const contractEvents = [
  defineEvent(
    'artifact.published',
    z.strictObject({
      nth,
      /** The key of the assignment that wrote it. */
      assignment: z.string(),
      /** The contract that its bytes were checked against. */
      contract: z.string(),
      /** Relative to the worktree. */
      path: z.string(),
      sha256: z.string(),
      /** A person changed the file, and wants the change. */
      isTheirs: z.literal(true).optional(),
    }),
    perNth('artifact.published'),
  ),
  defineEvent(
    'contract.drifted',
    z.strictObject({
      nth,
      contract: z.string(),
      path: z.string(),
      published: z.string(),
      /** SHA-256 of what is there now; null if the file is gone or cannot be read. */
      found: z.string().nullable(),
      /** Its faults; empty if it keeps to the contract. */
      errors: z.array(ValidationError),
      /** devflow's copy of what is there, if it keeps to the contract. */
      storedPath: z.string().nullable(),
      data: z.unknown().optional(),
    }),
    perNth('contract.drifted'),
  ),
] as const;
