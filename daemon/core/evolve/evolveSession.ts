import type { Recovery } from '../../../schemas/enums.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { resendPrompt } from '../assignment/moveAssignments.ts';
import { stepsSession } from '../machines/session.ts';
import { resumeLed } from '../run/led.ts';
import { patchSession } from '../run/patch.ts';
import { dueRecovery, isBroken, sessionOf } from '../run/query.ts';
import type { Run, Session } from '../run/state.ts';

type SessionEvent = Extract<
  RunEvent,
  {
    type:
      | 'session.created'
      | 'session.ready'
      | 'session.busy'
      | 'session.idle'
      | 'session.crashed'
      | 'session.recovered'
      | 'session.failed';
  }
>;

/** Session-level events. Each shows that the agent is no longer blocked. */
export function evolveSession(run: Run, event: SessionEvent): Run {
  const { sessionId } = event.payload;
  switch (event.type) {
    case 'session.created':
      return { ...run, sessions: [...run.sessions, fresh(event.payload)] };
    case 'session.ready':
      return patchSession(run, sessionId, (s) => ({ state: stepsSession(s.state, 'READY'), stall: null }));
    case 'session.busy':
      return patchSession(run, sessionId, (s) => ({ state: stepsSession(s.state, 'BUSY'), stall: null }));
    case 'session.idle':
      return patchSession(run, sessionId, (s) => ({
        state: stepsSession(s.state, 'READY'),
        recoveryBase: s.recoveryAttempts,
        stall: null,
      }));
    case 'session.crashed':
      return crashed(run, event.payload);
    case 'session.recovered':
      return patchSession(run, sessionId, (s) => ({
        state: recovered(s, event.payload.how),
        renews: s.renews && event.payload.how !== 'rebootstrap',
        conversation: s.conversation + (event.payload.how === 'rebootstrap' ? 1 : 0),
        failure: null,
        stall: null,
      }));
    case 'session.failed':
      return patchSession(run, sessionId, (s) => ({
        state: stepsSession(s.state, 'FAILED_NEEDS_HUMAN'),
        failedBefore: true,
        failure: failureOf(s, event.payload),
        stall: null,
      }));
    default:
      return event satisfies never;
  }
}

type FailedPayload = Extract<RunEvent, { type: 'session.failed' }>['payload'];

/** Events of older runs lack a reason; then the reason is what broke the session. */
function failureOf({ failure }: Session, { code, reason, recoveryHint: hint }: FailedPayload): Session['failure'] {
  return { code, reason: reason ?? failure?.reason ?? hint, hint };
}

type CreatedPayload = Extract<RunEvent, { type: 'session.created' }>['payload'];

/** A created session starts at once, so it passes through CREATED. */
function fresh({ sessionId, roleId, laneId = MAIN, backend, cwd }: CreatedPayload): Session {
  return {
    id: sessionId,
    roleId,
    laneId,
    backend,
    cwd,
    state: stepsSession('CREATED', 'BOOTSTRAPPING'),
    recoveryAttempts: 0,
    recoveryBase: 0,
    renews: false,
    conversation: 1,
    renewals: 0,
    failedBefore: false,
    failure: null,
    expectedArtifactPath: null,
    expectedSchema: null,
    lastPromptHash: null,
    lastPromptAt: null,
    stall: null,
    stalls: 0,
  };
}

type CrashedPayload = Extract<RunEvent, { type: 'session.crashed' }>['payload'];

/** An agent that died during a prompt gets it again as a new attempt after its recovery. */
function crashed(run: Run, { sessionId, recoveryAttempts, code, reason }: CrashedPayload): Run {
  const next = patchSession(run, sessionId, (session) => ({
    state: stepsSession(session.state, 'CRASHED'),
    recoveryAttempts,
    failure: { code, reason },
    stall: null,
  }));
  const led = resumeLed(next, run, sessionId, 'crash');
  const session = sessionOf(led, sessionId);
  if (!session || !dueRecovery(session)) return led;
  return resendPrompt(led, sessionId, 'crash');
}

function recovered(session: Session, how: Recovery) {
  // The session was not broken: it only started a new conversation.
  if (!isBroken(session)) return session.state === 'READY' ? 'READY' : stepsSession(session.state, 'READY');
  return how === 'resume'
    ? stepsSession(session.state, 'RESUMING', 'READY')
    : stepsSession(session.state, 'RESUMING', 'REBOOTSTRAPPED', 'READY');
}
