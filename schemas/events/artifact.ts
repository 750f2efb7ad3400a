import { z } from 'zod';
import { defineEvent, type KeyFacts } from './define.ts';

const Expected = {
  attempt: z.number().int().positive(),
  roleId: z.string(),
  /** Absolute path inside the run's worktree. */
  path: z.string(),
};
const Found = {
  ...Expected,
  artifactId: z.string(),
  schema: z.string(),
  /** SHA-256 of the file's bytes. */
  hash: z.string(),
};
const perAttempt =
  (type: string) =>
  ({ phaseId, payload }: KeyFacts<{ attempt: number; path: string }>) =>
    `${type}:${phaseId}:${payload.attempt}:${payload.path}`;
const perContent =
  (type: string) =>
  ({ phaseId, payload }: KeyFacts<{ path: string; hash: string }>) =>
    `${type}:${phaseId}:${payload.path}:${payload.hash}`;

export const ValidationError = z.strictObject({ path: z.string(), message: z.string() });
export type ValidationError = z.infer<typeof ValidationError>;

export const artifactEvents = [
  defineEvent(
    'artifact.expected',
    z.strictObject({ ...Expected, schema: z.string(), timeoutMs: z.number().int().positive() }),
    perAttempt('artifact.expected'),
  ),
  defineEvent(
    'artifact.validated',
    z.strictObject({ ...Found, storedPath: z.string() }),
    perContent('artifact.validated'),
  ),
  defineEvent(
    'artifact.invalid',
    z.strictObject({ ...Found, errors: z.array(ValidationError) }),
    perContent('artifact.invalid'),
  ),
  defineEvent(
    'artifact.timeout',
    z.strictObject({ ...Expected, sessionId: z.string() }),
    perAttempt('artifact.timeout'),
  ),
] as const;
