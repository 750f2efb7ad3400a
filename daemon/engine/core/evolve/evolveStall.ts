import type { RunEvent } from '../../../../schemas/events/index.ts';
import { stepsSession } from '../machines/session.ts';
import { patchPhase, patchSession } from '../run/patch.ts';
import { dueRecovery, isAnsweredInPane, isAtWork, sessionOf } from '../run/query.ts';
import type { Run, Session } from '../run/state.ts';
import { resendPrompt } from './assignments.ts';

type Stalled = Extract<RunEvent, { type: 'run.stalled' }>;

/** What keeps an agent from going on, or that it goes on. Only at work does that move its state. */
export function evolveStall(run: Run, { payload, ts }: Stalled): Run {
  const { sessionId, nth, stall } = payload;
  const before = sessionOf(run, sessionId)?.stall;
  const next = patchSession(run, sessionId, (session) => ({
    stalls: nth,
    stall: stall && { ...stall, since: ts },
    ...(isAtWork(session) ? atWork(session, stall) : {}),
  }));
  if (stall?.cause === 'hung') return resendAfterHang(next, sessionId);
  return stall === null || stall.cause === 'idle' ? endStall(next, sessionId, before, ts) : next;
}

function atWork(session: Session, stall: Stalled['payload']['stall']): Partial<Session> {
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

/** As after a crash: the prompt goes out again once the agent is back. */
function resendAfterHang(run: Run, sessionId: string): Run {
  const session = sessionOf(run, sessionId);
  return session && dueRecovery(session) ? resendPrompt(run, sessionId, 'hung') : run;
}

/**
 * A usage limit (of most agents) and an error end the turn, so that the agent is asked to go on; after an error only once its
 * time has come, for before that somebody has done so in its pane. By anything else it was merely held up. The time it could
 * not work is nobody's time-out: its clock starts anew.
 */
function endStall(run: Run, sessionId: string, before: Session['stall'] | undefined, since: string): Run {
  const { cause, until, goesOn } = before ?? {};
  const isDue = cause === 'error' && (!until || Date.parse(until) <= Date.parse(since));
  if ((cause === 'quota' && !goesOn) || (cause === 'error' && isDue)) {
    // One that is being asked again is not told to be idle.
    const awake = patchSession(run, sessionId, () => ({ stall: null }));
    return resendPrompt(awake, sessionId, cause);
  }
  // Idle it was held up by nothing, and its time went on.
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
