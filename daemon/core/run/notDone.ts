import type { NotDone } from '../../../schemas/kinds/lanes/notDone.ts';
import { stateRulesOf } from '../../kinds/states.ts';
import type { Assignment, Run } from './state.ts';

/** The tasks that were abandoned, and why, by phase and in the order of the plan. */
export function tasksNotDone(run: Run): NotDone[] {
  const endedBecause = (laneId: string) => {
    const lane = run.lanes.find(({ id }) => id === laneId);
    return lane?.state === 'abandoned' ? `${lane.id} ended: ${lane.endedBecause ?? 'a person rejected it'}` : undefined;
  };
  return run.phases.flatMap((phase) =>
    (stateRulesOf(phase).notDone?.(phase, endedBecause) ?? []).map((task) => ({ phaseKey: phase.key, ...task })),
  );
}

/** The number of tasks in the plans that the run carries out. */
export function countTasks(run: Run): number {
  return run.phases.reduce((sum, phase) => sum + (stateRulesOf(phase).countTasks?.(phase) ?? 0), 0);
}

/** True if its lane was abandoned, so that nothing of it is in the result. */
export function isLeftOut(run: Run, { laneId }: Pick<Assignment, 'laneId'>): boolean {
  return run.lanes.some(({ id, state }) => id === laneId && state === 'abandoned');
}
