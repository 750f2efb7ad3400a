/** What the order of landing needs to know of a task. */
export interface OrderedTask {
  id: string;
  dependsOn: readonly string[];
  laneId: string | null;
}

/**
 * The order in which lanes land: a lane after those whose work it builds on, else as they finished. `finished` has the
 * lanes of the queue as they finished; `order` has pairs of overlapping tasks, first and second.
 */
export function queueOrder(
  finished: readonly string[],
  tasks: readonly OrderedTask[],
  order: readonly (readonly [string, string])[],
): string[] {
  const buildsOn = new Map(finished.map((laneId) => [laneId, lanesBefore(laneId, tasks, order)]));
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
  order: readonly (readonly [string, string])[],
): Set<string> {
  const before = new Set<string>();
  const lanes = new Set<string>();
  // It grows while the loop walks it.
  const visit = tasks.filter((task) => task.laneId === laneId);
  for (const task of visit) {
    const previous = [...task.dependsOn, ...order.filter(([, second]) => second === task.id).map(([first]) => first)];
    for (const id of previous) {
      const found = before.has(id) ? undefined : tasks.find((each) => each.id === id);
      if (!found) continue;
      before.add(id);
      visit.push(found);
      if (found.laneId !== null) lanes.add(found.laneId);
    }
  }
  return lanes;
}
