import { defined } from '../../../schemas/defined.ts';
import { sessionState } from '../../../schemas/states/session.ts';
import { STALLS } from '../../../schemas/states/stall.ts';
import type { Failure } from '../gates/escalate.ts';
import { SEND_BUDGET } from '../machines/session.ts';
import { isLedPhase } from '../run/led.ts';
import { dueRecovery, isBroken, isDue, sessionOf } from '../run/query.ts';
import type { Assignment, Phase, Run, Session } from '../run/state.ts';

/** Why an assignment cannot continue without a person; undefined while it can. */
export function troubleOf(run: Run, phase: Phase, assignment: Assignment): Failure | undefined {
  if (assignment.status === 'invalid') return stillInvalid(run, phase, assignment);
  if (!isDue(assignment)) return undefined;
  const session = sessionOf(run, assignment.sessionId);
  if (!session) return undefined;
  const isLed = isLedPhase(phase);
  const cause = assignment.status === 'prompted' || isLed ? session.stall?.cause : undefined;
  // devflow cannot see a log-in: the agent stays idle after a failed turn. A person must approve a retry.
  if (cause === 'login' && !isLed) return mustLogIn(session);
  if (cause === 'error' && assignment.errors >= SEND_BUDGET) return failsRepeatedly(session, assignment);
  return isBroken(session) && !dueRecovery(session) ? isLost(session) : undefined;
}

function stillInvalid(run: Run, phase: Phase, { roleId, key }: Assignment): Failure {
  const artifact = run.artifacts.findLast(
    (candidate) => candidate.phaseId === phase.id && !candidate.valid && candidate.assignment === key,
  );
  const faults = artifact?.errors?.map((error) => `${error.path || '/'} ${error.message}`).join('; ') ?? '';
  const reason = `the artifact of ${roleId} is still invalid after the repair prompt: ${faults}`;
  const findings = artifact?.errors?.some(({ code }) => code !== undefined) ? { findings: artifact.errors } : undefined;
  return { code: 'artifact_invalid_after_repair', reason, ...defined({ subject: findings }) };
}

/** The session is not broken: no recovery is counted, and the next attempt uses it unchanged. */
function mustLogIn({ id: sessionId, roleId, backend, stall }: Session): Failure {
  return {
    code: 'backend_login_required',
    reason: `${roleId} (${backend}) ${STALLS.login.word}: ${stall?.detail ?? ''}`,
    hint: `Log in in its pane (devflow attach ${sessionId.slice(0, 8)}), then approve to try again.`,
    sessionId,
  };
}

/** The backend fails, not the session. A pause can add a failed turn that was not asked for again. */
function failsRepeatedly({ id: sessionId, roleId, backend, stall }: Session, { errors }: Assignment): Failure {
  const last = stall?.detail ?? '';
  const reason = `${roleId} (${backend}) ended ${errors + 1} turns with an error; last error: ${last}`;
  return { code: 'backend_failing', reason, sessionId };
}

function isLost(session: Session): Failure {
  const { roleId, backend, state, failure } = session;
  const code = state === 'ARTIFACT_TIMEOUT' ? 'artifact_timeout_exhausted' : 'session_exhausted';
  const reason = `${roleId} (${backend}) could not be recovered: ${failure?.reason ?? sessionState(state).word}`;
  return { code, reason, session };
}
