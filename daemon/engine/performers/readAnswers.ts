import { ANSWERS_SCHEMA, type CommentAnswer } from '../../../schemas/comments/comment.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { checkBytes, logFaults } from '../../artifacts/checkArtifact.ts';
import { readArtifact } from '../../artifacts/storedArtifact.ts';
import { type FileWait, waitForFile } from '../../artifacts/waitForFile.ts';
import type { EffectOf } from '../../core/effect/effect.ts';
import { eachOnce } from './eachOnce.ts';
import type { PerformerPorts } from './performer.ts';

/** The answers beside an artifact, or their faults. Faults have paths below `/answers`. */
export async function readAnswers(
  registry: Registry,
  { path, comments }: { path: string; comments: readonly string[] },
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

/** Waits for a missing file of answers, as long as the agent may write it: until its turn is over, or the deadline. */
export async function answersWritten(
  { answers, session }: Pick<EffectOf<'awaitArtifact'>, 'answers' | 'session'>,
  { sessions, clock }: Pick<PerformerPorts, 'sessions' | 'clock'>,
  { signal, ...place }: Pick<FileWait, 'root' | 'deadline' | 'debounceMs' | 'signal'>,
): Promise<void> {
  const turn = sessions.turnOf(session.sessionId);
  if (!answers || !turn) return;
  const over = new AbortController();
  const look = () =>
    void turn.endedAt().then(
      (at) => at !== undefined && over.abort(),
      () => over.abort(),
    );
  const unlisten = turn.listen(look);
  look();
  try {
    const { path } = answers;
    await waitForFile({ ...place, path, clock, signal: AbortSignal.any([signal, over.signal]) });
  } catch (error) {
    if (signal.aborted || !over.signal.aborted) throw error;
  } finally {
    unlisten();
  }
}

function fault(message: string): { errors: ValidationError[] } {
  return { errors: [{ path: '/answers', message }] };
}

function inAnswers({ path, message }: ValidationError, file: string): ValidationError {
  return { path: path.startsWith('/answers') ? path : `/answers${path}`, message: `${message} (in ${file})` };
}
