import { allBefore, criticalPath, dependenciesOf, type Edge } from './graph/taskGraph.ts';
import type { Task } from './state.ts';

/** The waiting tasks whose predecessors have all landed; those with the longest row of work behind them first. */
export function readyTasks(tasks: readonly Task[], order: readonly Edge[]): Task[] {
  const before = predecessors(tasks, order);
  return byLength(tasks, order).filter((task) => before(task).every(hasLanded));
}

/**
 * The task that continues a lane after its last one, `tail`. It waits only for work of this lane. Nothing that it needs
 * landed after the lane opened, because the lane would not have it. If other tasks need the lane's work and not this task,
 * the lane lands first. Then each of them gets a lane, and they work side by side.
 */
export function joinsLane(
  tasks: readonly Task[],
  order: readonly Edge[],
  tail: Task,
  landedSince: readonly string[] = [],
): Task | undefined {
  const before = predecessors(tasks, order);
  const all = dependenciesOf(tasks, order);
  const isInLane = (task: Task) => task.laneId === tail.laneId && !hasLanded(task);
  const isMissing = (task: Task) => landedSince.includes(task.laneId ?? '');
  const wanting = byLength(tasks, order).filter((task) => before(task).some(isInLane));
  return wanting.find((task) => {
    const needed = before(task);
    const open = needed.filter((each) => !hasLanded(each));
    const isNext = open.every(isInLane) && open.includes(tail) && !needed.some(isMissing);
    return isNext && wanting.every((other) => other === task || allBefore(all, other.id).has(task.id));
  });
}

/** The waiting tasks; equal ones in the order of the plan. */
function byLength(tasks: readonly Task[], order: readonly Edge[]): Task[] {
  const lengths = criticalPath(tasks, order);
  const waiting = tasks.filter(({ state }) => state === 'waiting');
  return waiting.sort((a, b) => (lengths.get(b.id) ?? 0) - (lengths.get(a.id) ?? 0));
}

/** Finds the tasks that come directly before a task. */
function predecessors(tasks: readonly Task[], order: readonly Edge[]): (task: Task) => Task[] {
  const before = dependenciesOf(tasks, order);
  return ({ id }) => tasks.filter((task) => before.get(id)?.has(task.id));
}

function hasLanded({ state }: Task): boolean {
  return state === 'landed';
}
