import type { Task } from '../run/state.ts';

/** How much work a task is, in the measure of the smallest. */
const WEIGHT: Record<Task['size'], number> = { s: 1, m: 2, l: 4 };

type Edges = readonly (readonly [first: string, second: string])[];

/** For each task, the work of the longest row of tasks that begins with it. Long rows must begin first. */
export function criticalPath(
  tasks: readonly Pick<Task, 'id' | 'dependsOn' | 'size'>[],
  order: Edges,
): Map<string, number> {
  const known = new Map<string, number>();
  const followers = new Map<string, string[]>(tasks.map(({ id }) => [id, []]));
  for (const { id, dependsOn } of tasks) for (const each of dependsOn) followers.get(each)?.push(id);
  for (const [first, second] of order) followers.get(first)?.push(second);
  const weights = new Map(tasks.map(({ id, size }) => [id, WEIGHT[size]]));
  const measure = (id: string): number => {
    const found = known.get(id);
    if (found !== undefined) return found;
    // A plan has no circle, but a task that is measured now must not be measured again.
    known.set(id, 0);
    const longest = Math.max(0, ...(followers.get(id) ?? []).map(measure));
    known.set(id, (weights.get(id) ?? 0) + longest);
    return known.get(id) ?? 0;
  };
  for (const { id } of tasks) measure(id);
  return known;
}
