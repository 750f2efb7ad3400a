import type { Task } from '../run/state.ts';

/**
 * Puts overlapping tasks in order: as the plan has them, unless a task needs the other one. Never makes a circle, because all
 * pairs follow one order of all tasks.
 */
export function orderOverlaps(
  tasks: readonly Pick<Task, 'id' | 'dependsOn'>[],
  pairs: readonly { a: string; b: string }[],
): [first: string, second: string][] {
  const place = new Map(inOrder(tasks).map((id, index) => [id, index]));
  return pairs.map(({ a, b }) => ((place.get(a) ?? 0) <= (place.get(b) ?? 0) ? [a, b] : [b, a]));
}

/** All tasks in an order in which they can be done; else as in the plan. */
function inOrder(tasks: readonly Pick<Task, 'id' | 'dependsOn'>[]): string[] {
  const placed: string[] = [];
  const left = [...tasks];
  while (left.length > 0) {
    const free = left.findIndex(({ dependsOn }) => !left.some(({ id }) => dependsOn.includes(id)));
    placed.push(...left.splice(Math.max(free, 0), 1).map(({ id }) => id));
  }
  return placed;
}
