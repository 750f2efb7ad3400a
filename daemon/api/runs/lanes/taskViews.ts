import type { TaskView } from '../../../../schemas/rpc/views/lanes.ts';
import type { Phase, Run, Task } from '../../../core/run/state.ts';
import type { Edge } from '../../../kinds/lanes/graph/taskGraph.ts';
import { shownState } from '../../sessions/sessionSummary.ts';
import { layersOf } from './layers.ts';

/** The tasks of a phase in the order of the plan. */
export function taskViews(run: Run, phase: Phase, order: readonly Edge[]): TaskView[] {
  const tasks = phase.dag?.tasks ?? [];
  const layers = layersOf(tasks, order);
  return tasks.map((task): TaskView => {
    const { id, title, state, laneId, dependsOn, writeSet, size, risk, work } = task;
    const orderedAfter = order.filter(([, second]) => second === id).map(([first]) => first);
    const facts = { title, state, laneId, dependsOn, orderedAfter, writeSet, size, risk, work };
    return { taskId: id, ...facts, ...workerOf(run, phase, task), layer: layers.get(id) ?? 0 };
  });
}

function workerOf(run: Run, phase: Phase, { id, laneId }: Task): Pick<TaskView, 'roleId' | 'session'> {
  const assignment = phase.assignments.findLast(({ key }) => key === id);
  const roleId = assignment?.roleId ?? run.lanes.find((lane) => lane.id === laneId)?.roleId ?? null;
  const session = run.sessions.find((each) => each.id === assignment?.sessionId);
  if (!session) return { roleId, session: null };
  const state = shownState(run, session);
  return { roleId, session: { sessionId: session.id, backend: session.backend, state } };
}
