import type { ErrorCode } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { REBOOTSTRAP_BUDGET, RESUME_BUDGET, stepsSession } from '../machines/session.ts';
import { isBroken } from './query.ts';
import type { Session } from './state.ts';

/** Counts as a recovery, because event keys contain that number. */
export function startRenewal(session: Session): Session {
  if (session.state === 'BOOTSTRAPPING') return session;
  if (isBroken(session)) return { ...session, renews: true };
  return {
    ...session,
    renews: true,
    renewals: session.renewals + 1,
    recoveryAttempts: session.recoveryAttempts + 1,
  };
}

/**
 * A new attempt has the full budget; the due recovery of a broken session is the first of it. An exhausted session gets
 * exactly one more restart.
 */
export function resetRecoveryBudget(session: Session): Session {
  if (session.state !== 'FAILED_NEEDS_HUMAN') {
    return { ...session, recoveryBase: session.recoveryAttempts - (isBroken(session) ? 1 : 0) };
  }
  const recoveryAttempts = session.recoveryAttempts + 1;
  return { ...session, recoveryAttempts, recoveryBase: recoveryAttempts - RESUME_BUDGET - REBOOTSTRAP_BUDGET };
}

export function failSession(
  session: Session,
  failure: { sessionIds: string[]; code: string; reason: string },
): Session {
  if (!failure.sessionIds.includes(session.id) || session.state === 'FAILED_NEEDS_HUMAN') return session;
  const { code, reason } = failure;
  const cause = { code, reason: session.failure?.reason ?? reason };
  return { ...session, state: stepsSession(session.state, 'FAILED_NEEDS_HUMAN'), failure: cause };
}

/** The session loses its prompt; devflow sends it again as the next attempt. */
export function crash({ id: sessionId, recoveryAttempts }: Session, code: ErrorCode, reason: string): NewEvent {
  const payload = { sessionId, recoveryAttempts: recoveryAttempts + 1, code, reason };
  return { type: 'session.crashed', phaseId: null, payload };
}
