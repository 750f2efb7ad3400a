interface Node {
  id: string;
  dependsOn: readonly string[];
}

/** The layer of each task: 0 if it waits for no other, else one more than the last of those that it waits for. */
export function layersOf(tasks: readonly Node[], order: readonly (readonly [string, string])[]): Map<string, number> {
  const layers = new Map<string, number>();
  const known = new Set(tasks.map(({ id }) => id));
  let left = [...tasks];
  while (left.length > 0) {
    const before = ({ id, dependsOn }: Node) =>
      [...dependsOn, ...order.filter(([, second]) => second === id).map(([first]) => first)].filter((each) =>
        known.has(each),
      );
    const ready = left.filter((task) => before(task).every((id) => layers.has(id)));
    // A valid plan has no cycle. If one got here, its tasks are shown together.
    const placed = ready.length > 0 ? ready : left;
    const layerOf = (task: Node) => Math.max(-1, ...before(task).map((id) => layers.get(id) ?? -1)) + 1;
    const found = placed.map((task) => [task.id, layerOf(task)] as const);
    for (const [id, layer] of found) layers.set(id, layer);
    left = left.filter((task) => !placed.includes(task));
  }
  return layers;
}
