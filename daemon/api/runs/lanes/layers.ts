import { dependenciesOf, type Edge, type PlanTask } from '../../../kinds/lanes/graph/taskGraph.ts';

/** The layer of each task: 0 if it waits for no other, else one more than its highest predecessor's. */
export function layersOf(tasks: readonly PlanTask[], order: readonly Edge[]): Map<string, number> {
  const layers = new Map<string, number>();
  const all = dependenciesOf(tasks, order);
  const before = ({ id }: PlanTask) => [...(all.get(id) ?? [])];
  let left = [...tasks];
  while (left.length > 0) {
    const ready = left.filter((task) => before(task).every((id) => layers.has(id)));
    // A valid plan has no cycle. If one got here, its tasks are shown together.
    const placed = ready.length > 0 ? ready : left;
    const layerOf = (task: PlanTask) => Math.max(-1, ...before(task).map((id) => layers.get(id) ?? -1)) + 1;
    const found = placed.map((task) => [task.id, layerOf(task)] as const);
    for (const [id, layer] of found) layers.set(id, layer);
    left = left.filter((task) => !placed.includes(task));
  }
  return layers;
}
