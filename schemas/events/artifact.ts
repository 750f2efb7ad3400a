import { z } from 'zod';
import { CommentAnswer } from '../comments/comment.ts';
import { TITLE_LENGTH } from '../text/titleOf.ts';
import { defineEvent, type KeyFacts } from './define.ts';

const Expected = {
  attempt: z.number().int().positive(),
  roleId: z.string(),
  /** The key of the assignment, if it is not the role instance. */
  assignment: z.string().optional(),
  /** Absolute path inside the worktree of the lane. */
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

export const ValidationError = z.strictObject({
  path: z.string(),
  message: z.string(),
  /** The code of a finding in a contract's document. */
  code: z.string().optional(),
  line: z.number().int().positive().optional(),
});
export type ValidationError = z.infer<typeof ValidationError>;

export const artifactEvents = [
  defineEvent(
    'artifact.expected',
    z.strictObject({ ...Expected, schema: z.string(), timeoutMs: z.number().int().positive() }),
    perAttempt('artifact.expected'),
  ),
  defineEvent(
    'artifact.validated',
    z.strictObject({
      ...Found,
      storedPath: z.string(),
      /** What its writer calls the work. Absent: it has no title. */
      title: z.string().min(1).max(TITLE_LENGTH).optional(),
      /** The parsed content, if later decisions depend on it. At most 256 KB. */
      data: z.unknown().optional(),
      /** Warnings for its reader. Absent: none. */
      warnings: z.array(ValidationError).optional(),
      /** Its agent's answers to comments of a person. Absent: nobody asked for any. */
      answers: z.array(CommentAnswer).optional(),
    }),
    perContent('artifact.validated'),
  ),
  /** A person changed a valid artifact at a gate. The same gate opens again, bound to the new bytes. */
  defineEvent(
    'artifact.edited',
    z.strictObject({
      ...Found,
      /** The gate at which the person did it. */
      approvalRequestId: z.string(),
      clientToken: z.string(),
      /** SHA-256 of the bytes that the gate showed. */
      replaces: z.string(),
      storedPath: z.string(),
      title: z.string().min(1).max(TITLE_LENGTH).optional(),
      /** As in `artifact.validated`. */
      data: z.unknown().optional(),
    }),
    ({ payload }) => `artifact.edited:${payload.approvalRequestId}:${payload.hash}`,
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
  /** The agent's turn ended without the artifact, nobody answered, and devflow reminds it. */
  defineEvent(
    'artifact.missing',
    z.strictObject({ ...Expected, sessionId: z.string() }),
    perAttempt('artifact.missing'),
  ),
] as const;
