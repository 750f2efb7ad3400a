import { defined } from '../../../schemas/defined.ts';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { titleFrom } from '../../../schemas/text/titleOf.ts';
import { checkBytes, logFaults } from '../../artifacts/checkArtifact.ts';
import { keepArtifact, readArtifact } from '../../artifacts/storedArtifact.ts';
import { waitForFile } from '../../artifacts/waitForFile.ts';
import type { EffectOf } from '../../core/effect/effect.ts';
import type { Outcome, Validation } from '../../core/effect/outcome.ts';
import type { Performer, PerformerPorts } from './performer.ts';
import { answersWritten, readAnswers } from './readAnswers.ts';
import { sessionInput } from './sessionInput.ts';
import { validateDraft } from './validateDraft.ts';
import { validateReview } from './validateReview.ts';

type ArtifactFound = Extract<Outcome, { type: 'artifactFound' }>;

/** A repair prompt has to hold them. */
const MOST_ERRORS = 30;

/** Waits until the file exists and stops changing. Validates its bytes, and keeps a copy if they are valid. */
export const awaitArtifact: Performer<'awaitArtifact'> = async (effect, ports, signal) => {
  const { key, session, phaseId, roleId, path, since, timeoutMs } = effect;
  const { sessionId, recoveryAttempts } = session;
  try {
    // The agent outlives the daemon, so a restarted daemon must watch it again.
    await ports.sessions.ensure(sessionInput(session));
  } catch (error) {
    const record = toErrorRecord(error);
    if (record.code === 'shutting_down') throw error;
    return { type: 'sessionLost', sessionId, error: record, recoveryAttempts };
  }
  const deadline = timeoutMs === null ? undefined : new Date(Date.parse(since) + timeoutMs);
  const debounceMs = ports.config.recovery.artifactDebounceMs;
  const place = { path, root: session.cwd, deadline, debounceMs };
  let writer = ports.sessions.turnOf(sessionId);
  // An agent may write its answers after the artifact.
  let mayAnswer = effect.answers !== undefined && !effect.answers.isTurnOver;
  for (;;) {
    const found = await waitForFile({ ...place, writer, clock: ports.clock, signal });
    if (!found) return { type: 'artifactTimedOut', key, phaseId, roleId, sessionId, path };
    ports.faults.at('awaitArtifact.found');
    const outcome = await validate(effect, ports);
    if (outcome?.verdict.valid || (outcome && found === 'rested' && !mayAnswer)) return outcome;
    if (outcome && found === 'rested') {
      mayAnswer = false;
      await answersWritten(effect, ports, { ...place, signal });
    }
    // Whatever proved the end of the turn, something may still write it. It gets the whole debounce time.
    if (found === 'ended') writer = undefined;
  }
};

/** Undefined if the agent has removed the file, for example to replace it. */
async function validate(effect: EffectOf<'awaitArtifact'>, ports: PerformerPorts): Promise<ArtifactFound | undefined> {
  const { phaseId, roleId, path, schema, storedPath, session, wantsData, review, facts, answers: asked } = effect;
  const found = { type: 'artifactFound' as const, phaseId, roleId, path, schema };
  const file = await readArtifact(path, session.cwd);
  if (!file) return undefined;
  if (!file.ok) return { ...found, hash: sha256hex(''), verdict: refused([{ path: '', message: file.fault }]) };
  const hash = sha256hex(file.bytes);
  const said = asked ? await readAnswers(ports.registry, asked, session.cwd) : { answers: undefined };
  const unanswered = 'errors' in said ? said.errors : [];
  const read = checkBytes(ports.registry, schema, file.bytes);
  if (!read.ok) return { ...found, hash, verdict: refused([...read.errors, ...unanswered]) };
  const { data, warnings } = read;
  const faults = [
    ...(wantsData ? logFaults(data) : []),
    ...(facts ? await validateDraft(facts, session.cwd, data, ports) : []),
  ];
  const checked = review && faults.length === 0 ? await validateReview(review, data) : { errors: faults, data };
  const errors = [...checked.errors, ...unanswered];
  if (errors.length > 0) return { ...found, hash, verdict: refused(errors) };
  await keepArtifact(storedPath, session.cwd, file.bytes);
  ports.faults.at('awaitArtifact.stored');
  const kept = defined({
    title: titleFrom((data as { title?: unknown } | null)?.title),
    data: wantsData ? checked.data : undefined,
    warnings: warnings.length > 0 ? warnings : undefined,
    answers: 'answers' in said ? said.answers : undefined,
  });
  return { ...found, hash, verdict: { valid: true, storedPath, ...kept } };
}

function refused(errors: ValidationError[]): Extract<Validation, { valid: false }> {
  return { valid: false, errors: errors.slice(0, MOST_ERRORS) };
}
