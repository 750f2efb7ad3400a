import type { TaskView } from '../../../../schemas/rpc/views/lanes.ts';
import type { Run } from '../../../core/run/state.ts';
import { dependenciesOf, type Edge, type PlanTask } from '../../../kinds/lanes/graph/taskGraph.ts';
import type { LanesPhase } from '../../../kinds/lanes/plan.ts';
import type { Task } from '../../../kinds/lanes/state.ts';
import { shownState } from '../../sessions/sessionSummary.ts';

/** The tasks of a phase in the order of the plan. */
export function taskViews(run: Run, phase: LanesPhase, order: readonly Edge[]): TaskView[] {
  const tasks = phase.dag?.tasks ?? [];
  const layers = layersOf(tasks, order);
  return tasks.map((task): TaskView => {
    const { id, title, state, laneId, dependsOn, writeSet, size, risk, work } = task;
    const orderedAfter = order.filter(([, second]) => second === id).map(([first]) => first);
    const facts = { title, state, laneId, dependsOn, orderedAfter, writeSet, size, risk, work };
    return { taskId: id, ...facts, ...workerOf(run, phase, task), layer: layers.get(id) ?? 0 };
  });
}

function workerOf(run: Run, phase: LanesPhase, { id, laneId }: Task): Pick<TaskView, 'roleId' | 'session'> {
  const assignment = phase.assignments.findLast(({ key }) => key === id);
  const roleId = assignment?.roleId ?? run.lanes.find((lane) => lane.id === laneId)?.roleId ?? null;
  const session = run.sessions.find((each) => each.id === assignment?.sessionId);
  if (!session) return { roleId, session: null };
  const state = shownState(run, session);
  return { roleId, session: { sessionId: session.id, backend: session.backend, state } };
}

/** The layer of each task: 0 if it waits for no other, else one more than its highest predecessor's. */
function layersOf(tasks: readonly PlanTask[], order: readonly Edge[]): Map<string, number> {
  const layers = new Map<string, number>();
  const all = dependenciesOf(tasks, order);
  const before = ({ id }: PlanTask) => [...(all.get(id) ?? [])];
  let left = [...tasks];
  while (left.length > 0) {
    const ready = left.filter((task) => before(task).every((id) => layers.has(id)));
    // A valid plan has no cycle. If one got here, its tasks are shown together.
    const placed = ready.length > 0 ? ready : left;
    const layerOf = (task: PlanTask) => Math.max(-1, ...before(task).map((id) => layers.get(id) ?? -1)) + 1;
    const found = placed.map((task) => [task.id, layerOf(task)] as const);
    for (const [id, layer] of found) layers.set(id, layer);
    left = left.filter((task) => !placed.includes(task));
  }
  return layers;
}
