import type { Assignment, Lane, Run } from '../../core/run/state.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import type { Task } from './state.ts';

/** The lanes of a phase, in the order in which they opened. */
export function lanesOf(run: Run, { id }: Pick<LanesPhase, 'id'>): Lane[] {
  return run.lanes.filter(({ phaseId }) => phaseId === id);
}

/** Lanes that have neither landed nor ended. */
export function liveLanes(run: Run, phase: LanesPhase): Lane[] {
  return lanesOf(run, phase).filter(({ state }) => state === 'open' || state === 'queued');
}

/** The tasks of a lane, in the order in which it took them. */
export function tasksOf(phase: LanesPhase, { id }: Pick<Lane, 'id'>): Task[] {
  const { tasks } = dagOf(phase);
  const inLane = phase.assignments.filter(({ laneId }) => laneId === id);
  return inLane.flatMap(({ key }) => tasks.find((task) => task.id === key) ?? []);
}

/** The assignment that the lane works on, or that waits for a decision; undefined if all are committed. */
export function openAssignment(phase: LanesPhase, { id }: Pick<Lane, 'id'>): Assignment | undefined {
  return phase.assignments.find(({ laneId, work }) => laneId === id && work === null);
}

/** The valid assignment whose work is not committed yet. */
export function uncommitted(phase: LanesPhase, lane: Pick<Lane, 'id'>): Assignment | undefined {
  const assignment = openAssignment(phase, lane);
  return assignment?.status === 'validated' ? assignment : undefined;
}

/** The globs of what a lane may write: those of its tasks, and the paths that a person approved. */
export function writeSetOf(run: Run, phase: LanesPhase, lane: Lane): string[] {
  const widened = run.approvals
    .filter(
      ({ gateKey, laneId, state }) => gateKey === 'writeset_conflict' && laneId === lane.id && state === 'approved',
    )
    .flatMap(({ subject }) => subject.paths as string[]);
  const declared = tasksOf(phase, lane).flatMap(({ writeSet }) => writeSet);
  return [...new Set([...declared, ...widened])];
}
