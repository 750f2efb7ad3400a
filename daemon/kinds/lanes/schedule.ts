import type { NewEvent } from '../../../schemas/events/index.ts';
import { lanePath } from '../../../schemas/files/runPaths.ts';
import { laneSettings } from '../../../schemas/kinds/lanes/settings.ts';
import { definitionOf } from '../../core/run/query.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import { liveLanes, tasksOf } from './lane.ts';
import { overlapOrder } from './overlapGate.ts';
import { joinsLane, readyTasks } from './partition.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { landedSince } from './queue/landedSince.ts';
import type { Task } from './state.ts';

/** Opens a lane for each task that is ready, as many as may work at the same time. */
export function openLanes(run: Run, phase: LanesPhase): NewEvent[] {
  const { tasks, main } = dagOf(phase);
  const { max } = laneSettings(run.template, definitionOf(run, phase));
  const free = Math.max(0, max - liveLanes(run, phase).length);
  const ready = readyTasks(tasks, overlapOrder(run, phase)).slice(0, free);
  const roleId = implementerOf(run, phase);
  return ready.flatMap((task, index) => {
    const laneId = `lane-${run.lanes.length + index}`;
    const path = lanePath(run.workspaceRoot, run.id, laneId);
    const payload = { laneId, roleId, path, branch: `devflow/${run.id}/${laneId}`, base: main };
    return [{ type: 'lane.opened', phaseId: phase.id, payload }, startTask(phase, task, laneId, roleId)];
  });
}

/** The role instance that does the tasks. */
function implementerOf(run: Run, phase: LanesPhase): string {
  const [role] = definitionOf(run, phase).roles;
  const binding = run.bindings.find((candidate) => candidate.role === role);
  if (!binding) throw new TypeError(`role ${role} is not bound`);
  return binding.roleId;
}

/** The task that continues the lane, in the same conversation. A lane that was sent back takes no more tasks. */
export function joiningTask(run: Run, phase: LanesPhase, lane: Lane): Task | undefined {
  const tail = tasksOf(phase, lane).at(-1);
  if (lane.ejections.length > 0 || !tail) return undefined;
  const { tasks, landings } = dagOf(phase);
  return joinsLane(tasks, overlapOrder(run, phase), tail, landedSince(landings, lane.base));
}

export function startTask(phase: LanesPhase, { id: taskId }: Task, laneId: string, roleId: string): NewEvent {
  return { type: 'task.started', phaseId: phase.id, payload: { taskId, laneId, roleId } };
}
