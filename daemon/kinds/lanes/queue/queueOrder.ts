import { allBefore, dependenciesOf, type Edge, type PlanTask } from '../graph/taskGraph.ts';

/** The facts about a task that the order of landing needs. */
export interface OrderedTask extends PlanTask {
  laneId: string | null;
}

/**
 * The order in which lanes land: a lane after those whose work it builds on, else as they finished. `finished` has the
 * lanes of the queue as they finished; `order` has pairs of overlapping tasks, first and second.
 */
export function queueOrder(
  finished: readonly string[],
  tasks: readonly OrderedTask[],
  order: readonly Edge[],
): string[] {
  const before = dependenciesOf(tasks, order);
  const buildsOn = new Map(finished.map((laneId) => [laneId, lanesBefore(laneId, tasks, before)]));
  const left = [...finished];
  const placed: string[] = [];
  while (left.length > 0) {
    const free = left.findIndex(
      (laneId) => !left.some((other) => other !== laneId && buildsOn.get(laneId)?.has(other)),
    );
    // Lanes that build on each other have no order; they land as they finished.
    placed.push(...left.splice(Math.max(free, 0), 1));
  }
  return placed;
}

/** The lanes of all tasks that come before the lane's own tasks, directly or not. */
function lanesBefore(
  laneId: string,
  tasks: readonly OrderedTask[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): Set<string | null> {
  const own = tasks.filter((task) => task.laneId === laneId);
  const needed = new Set(own.flatMap(({ id }) => [...allBefore(before, id)]));
  return new Set(tasks.filter(({ id }) => needed.has(id)).map((task) => task.laneId));
}
