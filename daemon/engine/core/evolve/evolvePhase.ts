import type { RunEvent } from '../../../../schemas/events/index.ts';
import { stepPhase } from '../machines/phase.ts';
import { stepRun } from '../machines/run.ts';
import { REBOOTSTRAP_BUDGET, RESUME_BUDGET, stepsSession } from '../machines/session.ts';
import { keepsSessionBoundary } from '../run/behaviour.ts';
import { sessionId } from '../run/keys.ts';
import { patchPhase } from '../run/patch.ts';
import { activeStateAt, definitionOf, isBroken } from '../run/query.ts';
import type { Assignment, Phase, Run, Session } from '../run/state.ts';
import { addCommittedWork } from './committedWork.ts';

type PhaseEvent = Extract<RunEvent, { type: 'phase.started' | 'phase.completed' | 'phase.failed' | 'phase.skipped' }>;

/** Phase-level events. */
export function evolvePhase(run: Run, event: PhaseEvent): Run {
  switch (event.type) {
    case 'phase.started':
      return started(run, event);
    case 'phase.completed':
      return patchPhase(run, event.phaseId, (phase) => ({
        state: stepPhase(phase.state, 'completed'),
        ...addCommittedWork(phase, event.payload.work),
        endedAt: event.ts,
      }));
    case 'phase.skipped':
      return patchPhase(enterFirstPhase(run, event.phaseId), event.phaseId, (phase) => ({
        state: stepPhase(phase.state, 'skipped'),
        endedAt: event.ts,
      }));
    case 'phase.failed':
      return patchPhase(
        { ...run, sessions: run.sessions.map((session) => failSession(session, event.payload)) },
        event.phaseId,
        (phase) => ({ state: stepPhase(phase.state, 'failed'), endedAt: event.ts }),
      );
    default:
      return event satisfies never;
  }
}

function started(run: Run, event: Extract<RunEvent, { type: 'phase.started' }>): Run {
  const { attempt, changeRequest } = event.payload;
  const phase = run.phases.find((candidate) => candidate.id === event.phaseId);
  if (!phase) throw new TypeError(`phase.started names no phase of run ${run.id}`);
  const assignments = newAssignments(run, phase, attempt);
  // A retry continues the conversation of the phase.
  const renews = keepsSessionBoundary(run) && definitionOf(run, phase).sessionBoundary && phase.state === 'pending';
  const next = patchPhase(enterFirstPhase(run, phase.id), event.phaseId, () => ({
    state: stepPhase(phase.state, 'running'),
    attempts: attempt,
    startedAt: phase.startedAt ?? event.ts,
    endedAt: null,
    changeRequest: changeRequest ?? null,
    assignments,
    gatesPassed: [],
    from: run.decided,
  }));
  return {
    ...next,
    decided: null,
    sessions: next.sessions.map((session) =>
      assignments.some((assignment) => assignment.sessionId === session.id)
        ? resetRecoveryBudget(renews ? startRenewal(session) : session)
        : session,
    ),
  };
}

/** The first started or skipped phase moves the run out of `bound`. */
function enterFirstPhase(run: Run, phaseId: string | null): Run {
  const phase = run.phases.find((candidate) => candidate.id === phaseId);
  return phase && run.state === 'bound' ? { ...run, state: stepRun('bound', activeStateAt(run, phase.seq)) } : run;
}

function newAssignments(run: Run, phase: Phase, attempt: number): Assignment[] {
  const roles = definitionOf(run, phase).roles;
  return run.bindings
    .filter((binding) => roles.includes(binding.role))
    .map(({ roleId }) => ({
      roleId,
      sessionId: sessionId(run.id, roleId),
      attempt,
      status: 'to_prompt',
      repairsUsed: 0,
      errors: 0,
      repair: null,
      resend: null,
      prompt: null,
      artifact: null,
    }));
}

/** Counts as a recovery, because event keys contain that number. */
function startRenewal(session: Session): Session {
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
function resetRecoveryBudget(session: Session): Session {
  if (session.state !== 'FAILED_NEEDS_HUMAN') {
    return { ...session, recoveryBase: session.recoveryAttempts - (isBroken(session) ? 1 : 0) };
  }
  const recoveryAttempts = session.recoveryAttempts + 1;
  return { ...session, recoveryAttempts, recoveryBase: recoveryAttempts - RESUME_BUDGET - REBOOTSTRAP_BUDGET };
}

function failSession(session: Session, failure: { sessionIds: string[]; code: string; reason: string }): Session {
  if (!failure.sessionIds.includes(session.id) || session.state === 'FAILED_NEEDS_HUMAN') return session;
  const { code, reason } = failure;
  const cause = { code, reason: session.failure?.reason ?? reason };
  return { ...session, state: stepsSession(session.state, 'FAILED_NEEDS_HUMAN'), failure: cause };
}
