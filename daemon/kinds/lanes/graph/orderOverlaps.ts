import { dependenciesOf, type PlanTask, topologicalOrder } from './taskGraph.ts';

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
