import type { NewEvent } from '../../schemas/events/index.ts';
import { isAnsweredInPane } from '../../schemas/states/stall.ts';
import type { OutcomeOf } from './effect/outcome.ts';
import { keepsFailuresLocal } from './run/behaviour.ts';
import { ledPhaseOf } from './run/led.ts';
import { currentPhase, dueRecovery, isAtWork, isBroken, stallThatCounts } from './run/query.ts';
import { crash } from './run/sessionBudget.ts';
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

/** A stall is also recorded during a pause, so that the state stays true. */
export function sessionStalled(
  run: Run,
  session: Session | undefined,
  outcome: OutcomeOf<'sessionStalled'>,
): NewEvent[] {
  if (!session) return [];
  const isLed = ledPhaseOf(run, session.id) !== undefined;
  const reported = isLed ? asRest(run, session, outcome.stall) : outcome.stall;
  if (reported?.cause === 'hung' && !isAtWork(session)) return [];
  // For a session without a prompt, the end of a turn only clears the last stall.
  const stall = stallThatCounts(session, reported);
  if (isSameStall(session.stall, stall)) return [];
  const phaseId = currentPhase(run)?.id ?? null;
  // An agent asks in a turn, also if a person began it in the pane and nothing told of that.
  const isUntold = session.state === 'READY' && stall !== null && isAnsweredInPane(stall.cause) && isLed;
  return (isUntold ? [null, stall] : [stall]).map((each, nth) => {
    const payload = { sessionId: session.id, nth: session.stalls + 1 + nth, stall: each };
    return { type: 'run.stalled', phaseId, payload };
  });
}

/** The end of a turn is what a person who leads the agent waits for. */
function asRest(run: Run, { id }: Session, reported: OutcomeOf<'sessionStalled'>['stall']) {
  if (reported?.cause !== 'idle') return reported;
  const { detail } = reported;
  const isNew = !run.messages.some(({ sessionId, sentAt }) => sessionId === id && sentAt !== null);
  return { ...reported, cause: 'turn_over' as const, detail: detail === '' && isNew ? FIRST : detail };
}

const FIRST = 'it waits for your first message';

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
