import { ANSWERS_SCHEMA, type CommentAnswer } from '../../../schemas/comments/comment.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { checkBytes, logFaults } from '../../artifacts/checkArtifact.ts';
import { readArtifact } from '../../artifacts/storedArtifact.ts';
import type { EffectOf } from '../../core/effect/effect.ts';
import { eachOnce } from './eachOnce.ts';

/** The answers beside an artifact, or their faults. Faults have paths below `/answers`. */
export async function readAnswers(
  registry: Registry,
  { path, comments }: NonNullable<EffectOf<'awaitArtifact'>['answers']>,
  worktree: string,
): Promise<{ answers: CommentAnswer[] } | { errors: ValidationError[] }> {
  const file = await readArtifact(path, worktree);
  if (!file) return fault(`The file ${path} is missing. It must answer ${comments.join(', ')}.`);
  if (!file.ok) return fault(`${path}: ${file.fault}`);
  const read = checkBytes(registry, ANSWERS_SCHEMA, file.bytes);
  if (!read.ok) return { errors: read.errors.map((error) => inAnswers(error, path)) };
  const { answers } = read.data as { answers: CommentAnswer[] };
  const errors = [...eachOnce('answers', answers, comments), ...logFaults(answers)];
  if (errors.length > 0) return { errors: errors.map((error) => inAnswers(error, path)) };
  // Only known fields: an agent may write more, and the log would refuse them.
  return { answers: answers.map(({ id, action, note }) => ({ id, action, note })) };
}

function fault(message: string): { errors: ValidationError[] } {
  return { errors: [{ path: '/answers', message }] };
}

function inAnswers({ path, message }: ValidationError, file: string): ValidationError {
  return { path: path.startsWith('/answers') ? path : `/answers${path}`, message: `${message} (in ${file})` };
}
