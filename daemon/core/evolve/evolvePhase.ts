import type { RunEvent } from '../../../schemas/events/index.ts';
import { kindOf } from '../../kinds/index.ts';
import { closeHostGate } from '../gates/hostGate.ts';
import { withdrawGates } from '../gates/withdrawGates.ts';
import { stepPhase } from '../machines/phase.ts';
import { stepRun } from '../machines/run.ts';
import { keepsFailuresLocal, keepsSessionBoundary } from '../run/behaviour.ts';
import { continuesConversation } from '../run/boundary.ts';
import { addCommittedWork } from '../run/committedWork.ts';
import { patchPhase } from '../run/patch.ts';
import { activeStateAt, definitionOf, phaseStateOf } from '../run/query.ts';
import { resetPhasesAfter } from '../run/resetPhases.ts';
import { failSession, resetRecoveryBudget, startRenewal } from '../run/sessionBudget.ts';
import type { Run, Session } from '../run/state.ts';

type PhaseEvent = Extract<RunEvent, { type: `phase.${string}` }>;

/** Phase-level events. */
export function evolvePhase(run: Run, event: PhaseEvent): Run {
  switch (event.type) {
    case 'phase.started':
      return started(run, event);
    case 'phase.completed':
      return patchPhase(addCommittedWork(run, event.phaseId, event.payload.work), event.phaseId, ({ state }) => ({
        state: stepPhase(state, 'completed'),
        endedAt: event.ts,
      }));
    case 'phase.skipped':
      return patchPhase(closeHostGate(enterFirstPhase(run, event.phaseId), event.ts), event.phaseId, (phase) => ({
        state: stepPhase(phase.state, 'skipped'),
        endedAt: event.ts,
      }));
    case 'phase.failed':
      return patchPhase(
        { ...run, sessions: run.sessions.map((session) => failSession(session, event.payload)) },
        event.phaseId,
        // A phase whose assignments failed has this state already.
        ({ state }) => ({ state: state === 'failed' ? state : stepPhase(state, 'failed'), endedAt: event.ts }),
      );
    case 'phase.progressed': {
      const { nth, number, name, detail } = event.payload;
      const progress = { number, name, detail, at: event.ts };
      return patchPhase(run, event.phaseId, () => ({ progress, progressed: nth }));
    }
    default:
      return event satisfies never;
  }
}

function started(run: Run, event: Extract<RunEvent, { type: 'phase.started' }>): Run {
  const { attempt, cause, changeRequest = null } = event.payload;
  const phase = run.phases.find((candidate) => candidate.id === event.phaseId);
  if (!phase) throw new TypeError(`phase.started names no phase of run ${run.id}`);
  const work = kindOf(phase).begin(run, phase, { nth: attempt, cause, changeRequest });
  // A retry continues the conversation of the phase.
  const renews =
    keepsSessionBoundary(run) &&
    definitionOf(run, phase).sessionBoundary &&
    phase.state === 'pending' &&
    !continuesConversation(run, phase);
  const keepsAll = work.assignments.length > 0 && phaseStateOf(work, phase) === 'validating';
  const next = patchPhase(enterFirstPhase(run, phase.id), event.phaseId, () => ({
    state: stepPhase(phase.state, keepsAll ? 'validating' : 'running'),
    attempts: attempt,
    startedAt: phase.startedAt ?? event.ts,
    endedAt: null,
    changeRequest,
    progress: null,
    ...work,
    gatesPassed: [],
    from: run.decided,
  }));
  const begins = ({ id }: Session) =>
    work.assignments.some(({ sessionId, status }) => sessionId === id && status === 'to_prompt');
  const begun = {
    ...next,
    decided: null,
    sessions: next.sessions.map((session) =>
      begins(session) ? resetRecoveryBudget(renews ? startRenewal(session) : session) : session,
    ),
  };
  return keepsFailuresLocal(run) ? withdrawGates(resetPhasesAfter(begun, phase.seq), event.ts) : begun;
}

/** The first started or skipped phase moves the run out of `bound`. */
function enterFirstPhase(run: Run, phaseId: string | null): Run {
  const phase = run.phases.find((candidate) => candidate.id === phaseId);
  return phase && run.state === 'bound' ? { ...run, state: stepRun('bound', activeStateAt(run, phase.seq)) } : run;
}
