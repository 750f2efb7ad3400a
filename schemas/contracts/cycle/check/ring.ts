/**
 * A ring of things that need each other: `[a, b, a]`; undefined if there is none. It does not recurse, because somebody
 * else made the graph.
 */
export function ringOf(needs: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  for (const start of needs.keys()) {
    if (done.has(start)) continue;
    const way = [{ id: start, next: 0 }];
    const onWay = new Map([[start, 0]]);
    while (way.length > 0) {
      const here = way[way.length - 1] as { id: string; next: number };
      const id = needs.get(here.id)?.[here.next];
      here.next += 1;
      if (id === undefined) {
        way.pop();
        onWay.delete(here.id);
        done.add(here.id);
        continue;
      }
      const met = onWay.get(id);
      if (met !== undefined) return [...way.slice(met).map((step) => step.id), id];
      if (done.has(id) || !needs.has(id)) continue;
      onWay.set(id, way.length);
      way.push({ id, next: 0 });
    }
  }
  return undefined;
}
