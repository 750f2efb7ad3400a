import type { NotDone } from '../../../../schemas/notDone.ts';
import type { Assignment, Dag, Run, Task } from '../../../core/run/state.ts';
import { allBefore, dependenciesOf } from './taskGraph.ts';

/** The tasks that were abandoned, and why, by phase and in the order of the plan. */
export function tasksNotDone(run: Run): NotDone[] {
  return run.phases.flatMap(({ key: phaseKey, dag }) =>
    dag
      ? dag.tasks
          .filter(({ state }) => state === 'abandoned')
          .map((task) => {
            const { id: taskId, title, laneId } = task;
            return { phaseKey, taskId, title, laneId, why: whyNotDone(run, dag, task) };
          })
      : [],
  );
}

function whyNotDone(run: Run, { tasks }: Dag, { id, laneId }: Task): string {
  const lane = run.lanes.find((each) => each.id === laneId);
  if (lane?.state === 'abandoned') return `${lane.id} ended: ${lane.endedBecause ?? 'a person rejected it'}`;
  const before = allBefore(dependenciesOf(tasks), id);
  const ended = tasks.filter((task) => before.has(task.id) && task.state === 'abandoned');
  const first = ended.find((task) => task.laneId !== null) ?? ended[0];
  return first ? `it builds on ${first.id}` : 'its lane ended';
}

/** All tasks of the plans that the run carries out. */
export function plannedTasks(run: Run): Task[] {
  return run.phases.flatMap(({ dag }) => dag?.tasks ?? []);
}

/** Whether its lane was abandoned, so that nothing of it is in the result. */
export function isLeftOut(run: Run, { laneId }: Pick<Assignment, 'laneId'>): boolean {
  return run.lanes.some(({ id, state }) => id === laneId && state === 'abandoned');
}
