import type { Assignment, Lane, Phase, Run, Task } from '../../core/run/state.ts';
import { dagOf } from './plan.ts';

/** The lanes of a phase, in the order in which they opened. */
export function lanesOf(run: Run, { id }: Phase): Lane[] {
  return run.lanes.filter(({ phaseId }) => phaseId === id);
}

/** Lanes that have neither landed nor ended. */
export function liveLanes(run: Run, phase: Phase): Lane[] {
  return lanesOf(run, phase).filter(({ state }) => state === 'open' || state === 'queued');
}

/** The tasks of a lane, in the order in which it took them. */
export function tasksOf(phase: Phase, { id }: Pick<Lane, 'id'>): Task[] {
  const { tasks } = dagOf(phase);
  const inLane = phase.assignments.filter(({ laneId }) => laneId === id);
  return inLane.flatMap(({ key }) => tasks.find((task) => task.id === key) ?? []);
}

/** The assignment that the lane works on, or that waits for a decision; undefined if all are committed. */
export function openAssignment(phase: Phase, { id }: Pick<Lane, 'id'>): Assignment | undefined {
  return phase.assignments.find(({ laneId, work }) => laneId === id && work === null);
}

/** The valid assignment whose work is not committed yet. */
export function uncommitted(phase: Phase, lane: Pick<Lane, 'id'>): Assignment | undefined {
  const assignment = openAssignment(phase, lane);
  return assignment?.status === 'validated' ? assignment : undefined;
}

/** The globs of what a lane may write: those of its tasks, and the paths that a person approved. */
export function writeSetOf(run: Run, phase: Phase, lane: Lane): string[] {
  const widened = run.approvals
    .filter(
      ({ gateKey, laneId, state }) => gateKey === 'writeset_conflict' && laneId === lane.id && state === 'approved',
    )
    .flatMap(({ subject }) => subject.paths as string[]);
  const declared = tasksOf(phase, lane).flatMap(({ writeSet }) => writeSet);
  return [...new Set([...declared, ...widened])];
}
