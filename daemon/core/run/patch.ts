import type { PhaseKind } from '../../../schemas/enums.ts';
import { stepApproval } from '../machines/approval.ts';
import { isOf } from './query.ts';
import type { Approval, Assignment, Lane, Phase, PhaseFacts, PhaseOf, Run, Session } from './state.ts';

/** A run with one phase changed. The others are shared, so that a comparison by identity finds the change. */
export function patchPhase(run: Run, phaseId: string | null, change: (phase: Phase) => Partial<PhaseFacts>): Run {
  return { ...run, phases: run.phases.map((phase) => (phase.id === phaseId ? { ...phase, ...change(phase) } : phase)) };
}

/** A run with one phase changed, if it is of the kind: also what only this kind has. */
export function patchPhaseOf<K extends PhaseKind>(
  kind: K,
  run: Run,
  phaseId: string | null,
  change: (phase: PhaseOf<K>) => Partial<PhaseOf<K>>,
): Run {
  return patchPhase(run, phaseId, (phase): Partial<PhaseFacts> => (isOf(kind, phase) ? change(phase) : {}));
}

/** A run with one lane changed. */
export function patchLane(run: Run, laneId: string, change: (lane: Lane) => Partial<Lane>): Run {
  return { ...run, lanes: run.lanes.map((lane) => (lane.id === laneId ? { ...lane, ...change(lane) } : lane)) };
}

/** A run with one session changed. */
export function patchSession(run: Run, sessionId: string, change: (session: Session) => Partial<Session>): Run {
  return {
    ...run,
    sessions: run.sessions.map((session) => (session.id === sessionId ? { ...session, ...change(session) } : session)),
  };
}

/** A run with one approval changed. */
export function patchApproval(
  run: Run,
  id: string | undefined,
  change: (approval: Approval) => Partial<Approval>,
): Run {
  return {
    ...run,
    approvals: run.approvals.map((approval) => (approval.id === id ? { ...approval, ...change(approval) } : approval)),
  };
}

/** A run with the approvals closed that `which` picks. Nobody decided them, so they get no decision row. */
export function closeApprovals(run: Run, which: (approval: Approval) => boolean, ts: string): Run {
  return {
    ...run,
    approvals: run.approvals.map((approval) =>
      which(approval) ? { ...approval, state: stepApproval(approval.state, 'aborted'), resolvedAt: ts } : approval,
    ),
  };
}

/** With the newest item changed that `which` picks. Looks from the end, because a run can have thousands of items. */
export function patchNewest<T>(items: readonly T[], which: (item: T) => boolean, change: (item: T) => Partial<T>): T[] {
  const at = items.findLastIndex(which);
  const found = items[at];
  return found === undefined ? [...items] : items.with(at, { ...found, ...change(found) });
}

/** The assignments of a phase, with those changed that `which` picks. */
export function patchAssignments(
  phase: Phase,
  which: (assignment: Assignment) => boolean,
  change: (assignment: Assignment) => Partial<Assignment>,
): Assignment[] {
  return phase.assignments.map((assignment) =>
    which(assignment) ? { ...assignment, ...change(assignment) } : assignment,
  );
}
