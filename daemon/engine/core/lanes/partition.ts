import type { Task } from '../run/state.ts';
import { criticalPath } from './criticalPath.ts';

/** Pairs of tasks that overlap and were put in order, first and second. */
export type Order = readonly (readonly [first: string, second: string])[];

/** The waiting tasks whose predecessors have all landed; those with the longest row of work behind them first. */
export function readyTasks(tasks: readonly Task[], order: Order): Task[] {
  return byLength(tasks, order).filter((task) => openBefore(task, tasks, order).length === 0);
}

/**
 * The task that continues a lane: everything that it still waits for is work of this lane, and nothing that it needs landed
 * after the lane opened, because the lane would not have it. The one with the longest row of work behind it comes first.
 */
export function joinsLane(
  tasks: readonly Task[],
  order: Order,
  laneId: string,
  landedSince: readonly string[] = [],
): Task | undefined {
  const isMissing = (id: string) => tasks.some((task) => task.id === id && landedSince.includes(task.laneId ?? ''));
  const isHere = (id: string) => tasks.some((task) => task.id === id && task.laneId === laneId);
  return byLength(tasks, order).find((task) => {
    const open = openBefore(task, tasks, order);
    return open.length > 0 && open.every(isHere) && !predecessors(task, order).some(isMissing);
  });
}

/** The waiting tasks; equal ones in the order of the plan. */
function byLength(tasks: readonly Task[], order: Order): Task[] {
  const lengths = criticalPath(tasks, order);
  const waiting = tasks.filter(({ state }) => state === 'waiting');
  return waiting.sort((a, b) => (lengths.get(b.id) ?? 0) - (lengths.get(a.id) ?? 0));
}

/** The tasks before this one that have not landed. */
function openBefore(task: Task, tasks: readonly Task[], order: Order): string[] {
  return predecessors(task, order).filter((id) => tasks.some((other) => other.id === id && other.state !== 'landed'));
}

function predecessors({ id, dependsOn }: Task, order: Order): string[] {
  return [...dependsOn, ...order.filter(([, second]) => second === id).map(([first]) => first)];
}
