import type { NewEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { requestAgentGates } from '../gates/agentGate.ts';
import { escalate } from '../gates/escalate.ts';
import { requestTurnGates } from '../gates/turnGate.ts';
import { keepsFailuresLocal } from '../run/behaviour.ts';
import { laneOf } from '../run/lanes.ts';
import { getBinding, sessionOf } from '../run/query.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';
import { troubleOf } from './trouble.ts';

/** The events that follow from the assignments of a phase: sessions begin, and people are asked. */
export function deriveFromAssignments(run: Run, phase: Phase): NewEvent[] {
  const missing = phase.assignments.filter(
    ({ sessionId, status }) => status === 'to_prompt' && !sessionOf(run, sessionId),
  );
  if (missing.length > 0) return createSessions(run, phase, missing);
  const failing = phase.assignments.flatMap((assignment) => {
    const failure = troubleOf(run, phase, assignment);
    return failure ? [{ assignment, failure }] : [];
  });
  if (keepsFailuresLocal(run)) {
    const asked = failing.flatMap(({ assignment, failure }) => escalate(run, phase, failure, { assignment }));
    return asked.length > 0 ? asked : [...requestTurnGates(run, phase), ...requestAgentGates(run, phase)];
  }
  const [first] = failing;
  return first ? escalate(run, phase, first.failure) : requestAgentGates(run, phase);
}

/** Assignments of one role instance in one lane share a session. */
export function createSessions(run: Run, phase: Phase, missing: readonly Assignment[]): NewEvent[] {
  const first = new Map(missing.map((assignment) => [assignment.sessionId, assignment] as const).reverse());
  return missing
    .filter((assignment) => first.get(assignment.sessionId) === assignment)
    .map(({ sessionId, roleId, laneId }) => {
      const { backend } = getBinding(run, roleId);
      const lane = laneId === MAIN ? {} : { laneId };
      const payload = { sessionId, roleId, ...lane, backend, cwd: laneOf(run, laneId).path };
      return { type: 'session.created', phaseId: phase.id, payload };
    });
}
