import type { ErrorCode } from '../../schemas/errors.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import type { OutcomeOf } from './effect/outcome.ts';
import { keepsFailuresLocal } from './run/behaviour.ts';
import { currentPhase, dueRecovery, isAtWork, isBroken, stallThatCounts } from './run/query.ts';
import type { Run, Session } from './run/state.ts';

export function sessionReady(run: Run, session: Session | undefined): NewEvent[] {
  if (session?.state !== 'BOOTSTRAPPING') return [];
  const { id: sessionId, recoveryAttempts } = session;
  return [{ type: 'session.ready', phaseId: currentPhase(run)?.id ?? null, payload: { sessionId, recoveryAttempts } }];
}

/** The session died, or its recovery failed. The counters of the session say what is due next. */
export function sessionLost(run: Run, session: Session | undefined, outcome: OutcomeOf<'sessionLost'>): NewEvent[] {
  const { error, recoveryAttempts: seen } = outcome;
  if (!session) return [];
  // This death is already counted.
  if (seen === undefined ? isBroken(session) : seen !== session.recoveryAttempts) return [];
  // The session has no recovery left, and nobody has approved a retry yet.
  if (session.state === 'FAILED_NEEDS_HUMAN' && !isRetried(run, session)) return [];
  return [crash(session, error.code, error.message)];
}

function isRetried(run: Run, { id }: Session): boolean {
  const phase = currentPhase(run);
  if (!keepsFailuresLocal(run)) return phase?.state === 'running';
  return phase?.assignments.some(({ sessionId, status }) => sessionId === id && status === 'to_prompt') ?? false;
}

/** The session loses its prompt; devflow sends it again as the next attempt. */
export function crash({ id: sessionId, recoveryAttempts }: Session, code: ErrorCode, reason: string): NewEvent {
  const payload = { sessionId, recoveryAttempts: recoveryAttempts + 1, code, reason };
  return { type: 'session.crashed', phaseId: null, payload };
}

/** A stall is also recorded during a pause, so that the state stays true. */
export function sessionStalled(
  run: Run,
  session: Session | undefined,
  outcome: OutcomeOf<'sessionStalled'>,
): NewEvent[] {
  if (!session) return [];
  const reported = outcome.stall;
  if (reported?.cause === 'hung' && !isAtWork(session)) return [];
  // For a session without a prompt, the end of a turn only clears the last stall.
  const stall = stallThatCounts(session, reported);
  if (isSameStall(session.stall, stall)) return [];
  const payload = { sessionId: session.id, nth: session.stalls + 1, stall };
  return [{ type: 'run.stalled', phaseId: currentPhase(run)?.id ?? null, payload }];
}

function isSameStall(known: Session['stall'], reported: OutcomeOf<'sessionStalled'>['stall']): boolean {
  return known?.cause === reported?.cause && known?.detail === reported?.detail && known?.until === reported?.until;
}

export function sessionRecovered(session: Session | undefined, outcome: OutcomeOf<'sessionRecovered'>): NewEvent[] {
  if (!session || !(session.renews || isBroken(session)) || !dueRecovery(session)) return [];
  // It resumed the old conversation, but a new one must start.
  if (session.renews && outcome.how === 'resume') return [];
  const { id: sessionId, recoveryAttempts } = session;
  const hint = outcome.hint === undefined ? {} : { hint: outcome.hint };
  const payload = { sessionId, recoveryAttempts, how: outcome.how, ...hint };
  return [{ type: 'session.recovered', phaseId: null, payload }];
}
