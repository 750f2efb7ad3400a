import { toErrorRecord } from '../../../schemas/errors.ts';
import { sha256hex } from '../../../schemas/hash.ts';
import { readArtifact } from '../../harness/artifact/artifactFile.ts';
import { checkArtifact } from '../../harness/artifact/checkArtifact.ts';
import { keepArtifact } from '../../harness/artifact/storedArtifact.ts';
import { unstorableText } from '../../harness/artifact/unstorableText.ts';
import { waitForFile } from '../../harness/artifact/waitForFile.ts';
import type { EffectOf } from '../core/run/effect.ts';
import type { Outcome } from '../core/run/outcome.ts';
import { checkReview } from './checkReview.ts';
import type { Performer, PerformerPorts } from './performer.ts';
import { sessionInput } from './sessionInput.ts';

/** Content that decisions depend on becomes part of the log, so its size has a limit. */
const MOST_DATA = 256 * 1024;
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
  for (;;) {
    const there = await waitForFile({ path, root: session.cwd, deadline, debounceMs, clock: ports.clock, signal });
    if (!there) return { type: 'artifactTimedOut', key, phaseId, roleId, sessionId, path };
    ports.faults.at('awaitArtifact.found');
    const outcome = await validate(effect, ports);
    if (outcome) return outcome;
  }
};

/** Undefined if the agent has removed the file, for example to replace it. */
async function validate(effect: EffectOf<'awaitArtifact'>, ports: PerformerPorts): Promise<Outcome | undefined> {
  const { phaseId, roleId, path, schema, storedPath, session, wantsData, review } = effect;
  const found = { type: 'artifactFound' as const, phaseId, roleId, path, schema };
  const file = await readArtifact(path, session.cwd);
  if (!file) return undefined;
  if (!file.ok) {
    const hash = file.bytes ? sha256hex(file.bytes) : sha256hex('');
    return { ...found, hash, verdict: { valid: false, errors: [{ path: '', message: file.fault }] } };
  }
  const hash = sha256hex(file.bytes);
  const verdict = checkArtifact(ports.registry, schema, file.data);
  if (!verdict.ok) return { ...found, hash, verdict: { valid: false, errors: verdict.errors } };
  if (wantsData && file.bytes.length > MOST_DATA) {
    const message = `has ${file.bytes.length} bytes; at most ${MOST_DATA} are allowed`;
    return { ...found, hash, verdict: { valid: false, errors: [{ path: '', message }] } };
  }
  const unstorable = wantsData ? unstorableText(file.data) : [];
  const checked =
    review && unstorable.length === 0 ? await checkReview(review, file.data) : { errors: unstorable, data: file.data };
  if (checked.errors.length > 0) {
    return { ...found, hash, verdict: { valid: false, errors: checked.errors.slice(0, MOST_ERRORS) } };
  }
  await keepArtifact(storedPath, session.cwd, file.bytes);
  ports.faults.at('awaitArtifact.stored');
  return { ...found, hash, verdict: { valid: true, storedPath, ...(wantsData ? { data: checked.data } : {}) } };
}
