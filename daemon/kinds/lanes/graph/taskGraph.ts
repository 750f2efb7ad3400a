/** A task of a plan, as far as its place in the plan goes. */
export interface PlanTask {
  id: string;
  dependsOn: readonly string[];
}

/** Two tasks in the order in which they must be done, though neither needs the other. */
export type Edge = readonly [before: string, after: string];

/** Each task waits directly for its dependencies, and for the tasks that the order puts before it. */
export function dependenciesOf(tasks: readonly PlanTask[], order: readonly Edge[] = []): Map<string, Set<string>> {
  const before = new Map(tasks.map(({ id }) => [id, new Set<string>()]));
  const add = (first: string, second: string) => before.has(first) && before.get(second)?.add(first);
  for (const { id, dependsOn } of tasks) for (const each of dependsOn) add(each, id);
  for (const [first, second] of order) add(first, second);
  return before;
}

/**
 * The tasks in an order in which they can be done; else as the plan has them. Leaves out tasks that wait for each other,
 * and those behind them.
 */
export function topologicalOrder(before: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const left = new Map(before);
  for (let found = true; found; ) {
    found = false;
    for (const [id, needs] of left) {
      if (![...needs].every((need) => done.has(need))) continue;
      done.add(id);
      left.delete(id);
      found = true;
      break;
    }
  }
  return [...done];
}

/** All that a task waits for, directly or not. */
export function allBefore(before: ReadonlyMap<string, ReadonlySet<string>>, id: string): Set<string> {
  const reached = new Set(before.get(id));
  // The set grows while the loop walks it.
  for (const each of reached) for (const next of before.get(each) ?? []) reached.add(next);
  return reached;
}

/** The work of a task, in the measure of the smallest. */
const WEIGHT = { s: 1, m: 2, l: 4 };

/** For each task, the work of the longest row of tasks that begins with it. Long rows must begin first. */
export function criticalPath(
  tasks: readonly (PlanTask & { size: keyof typeof WEIGHT })[],
  order: readonly Edge[],
): Map<string, number> {
  const before = dependenciesOf(tasks, order);
  const lengths = new Map(tasks.map(({ id, size }) => [id, WEIGHT[size]]));
  const behind = new Map<string, number>();
  for (const id of topologicalOrder(before).reverse()) {
    const length = (lengths.get(id) ?? 0) + (behind.get(id) ?? 0);
    lengths.set(id, length);
    for (const each of before.get(id) ?? []) behind.set(each, Math.max(behind.get(each) ?? 0, length));
  }
  return lengths;
}

/**
 * Puts overlapping tasks in order: as the plan has them, unless a task needs the other one. Never makes a circle, because all
 * pairs follow one order of all tasks.
 */
export function orderOverlaps(
  tasks: readonly PlanTask[],
  pairs: readonly { a: string; b: string }[],
): [first: string, second: string][] {
  const place = new Map(topologicalOrder(dependenciesOf(tasks)).map((id, index) => [id, index]));
  return pairs.map(({ a, b }) => ((place.get(a) ?? 0) <= (place.get(b) ?? 0) ? [a, b] : [b, a]));
}
