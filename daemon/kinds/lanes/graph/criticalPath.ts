import { dependenciesOf, type Edge, type PlanTask, topologicalOrder } from './taskGraph.ts';

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
