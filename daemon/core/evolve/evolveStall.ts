import type { RunEvent } from '../../../schemas/events/index.ts';
import { isAnsweredInPane, resendsPrompt } from '../../../schemas/states/stall.ts';
import { resendPrompt } from '../assignment/moveAssignments.ts';
import { stepsSession } from '../machines/session.ts';
import { ledPhaseOf, patchLed, resumeLed } from '../run/led.ts';
import { patchPhase, patchSession } from '../run/patch.ts';
import { dueRecovery, isAtWork, sessionOf } from '../run/query.ts';
import type { Run, Session } from '../run/state.ts';

type Stalled = Extract<RunEvent, { type: 'run.stalled' }>;

/** A stall, or its end. It changes the state only of a session that works on a prompt. */
export function evolveStall(run: Run, { payload, ts }: Stalled): Run {
  const { sessionId, nth, stall } = payload;
  const before = sessionOf(run, sessionId)?.stall;
  const isLed = ledPhaseOf(run, sessionId) !== undefined;
  const next = patchSession(run, sessionId, (session) => ({
    stalls: nth,
    stall: stall && { ...stall, since: ts },
    ...(isAtWork(session) ? atWork(session, stall) : isLed ? beginsTurn(session, stall) : {}),
  }));
  if (stall?.cause === 'hung') return resendAfterHang(resumeLed(next, run, sessionId, 'hung'), sessionId);
  if (stall?.cause === 'turn_over') return patchLed(next, sessionId, () => ({ errors: 0, resend: null }));
  if (stall !== null && stall.cause !== 'idle') return next;
  return isLed ? endLedStall(next, run, sessionId, ts) : endStall(next, sessionId, before, ts);
}

/** A person also writes into the pane of an agent that they lead. So what ends this stall is a turn. */
function beginsTurn({ state }: Session, stall: Stalled['payload']['stall']): Partial<Session> {
  return state === 'READY' && stall === null ? { state: stepsSession(state, 'BUSY') } : {};
}

function atWork(session: Session, stall: Stalled['payload']['stall']): Partial<Session> {
  // The turn of an agent that a person leads is over.
  if (stall?.cause === 'turn_over') {
    return { state: stepsSession(session.state, 'READY'), recoveryBase: session.recoveryAttempts };
  }
  if (stall?.cause === 'hung') {
    return {
      state: stepsSession(session.state, 'HUNG'),
      recoveryAttempts: session.recoveryAttempts + 1,
      failure: { code: 'session_exhausted', reason: `it hung: ${stall.detail}` },
    };
  }
  const wanted = stall && isAnsweredInPane(stall.cause) ? 'WAITING_FOR_APPROVAL' : 'BUSY';
  return session.state === wanted ? {} : { state: stepsSession(session.state, wanted) };
}

/** As after a crash, devflow sends the prompt again after the recovery. */
function resendAfterHang(run: Run, sessionId: string): Run {
  const session = sessionOf(run, sessionId);
  return session && dueRecovery(session) ? resendPrompt(run, sessionId, 'hung') : run;
}

/** As below: the turn that a limit or an error ended is gone on with. */
function endLedStall(next: Run, run: Run, sessionId: string, since: string): Run {
  const stall = sessionOf(run, sessionId)?.stall;
  const isOver = stall && resendsPrompt(stall.cause) && endsTurn(stall, since);
  if (!isOver || !resendsPrompt(stall.cause)) return next;
  // What devflow writes next begins the turn.
  const atRest = patchSession(next, sessionId, ({ state }) =>
    state === 'BUSY' ? { state: stepsSession(state, 'READY') } : {},
  );
  return resumeLed(atRest, run, sessionId, stall.cause);
}

function endsTurn({ cause, until, goesOn }: NonNullable<Session['stall']>, since: string): boolean {
  const isEarly = cause === 'error' && until != null && Date.parse(until) > Date.parse(since);
  return !goesOn && !isEarly;
}

/**
 * Usage limits (of most agents) and errors end the turn, so devflow sends the prompt again. If an error ends before its
 * time, somebody continued the turn in the pane. Other stalls only delay the turn, and then the deadline restarts.
 */
function endStall(run: Run, sessionId: string, before: Session['stall'] | undefined, since: string): Run {
  const cause = before?.cause;
  if (cause && resendsPrompt(cause) && endsTurn(before, since)) {
    // An agent with a due prompt is not idle.
    const awake = patchSession(run, sessionId, () => ({ stall: null }));
    return resendPrompt(awake, sessionId, cause);
  }
  // The deadline kept running while the agent was idle.
  if (cause === undefined || cause === 'idle') return run;
  const phase = run.phases.find(({ assignments }) =>
    assignments.some((assignment) => assignment.sessionId === sessionId && assignment.prompt),
  );
  if (!phase) return run;
  return patchPhase(run, phase.id, ({ assignments }) => ({
    assignments: assignments.map((assignment) =>
      assignment.sessionId === sessionId && assignment.prompt
        ? { ...assignment, prompt: { ...assignment.prompt, since } }
        : assignment,
    ),
  }));
}
