/** A task of a plan, as far as its order goes. */
interface Ordered {
  id: string;
  dependsOn: readonly string[];
}

/**
 * One cycle of dependencies, with its first task again at the end: each needs the next. Ignores dependencies that no task
 * has. No recursion, because an agent chooses the length of a chain.
 */
export function findCycle(tasks: readonly Ordered[]): string[] | undefined {
  const needs = new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn]));
  const waiting = unfinished(needs);
  // Every remaining task needs another remaining task, so a walk must return to a task.
  const way: string[] = [];
  const seen = new Set<string>();
  let id: string | undefined = waiting.values().next().value;
  while (id !== undefined && !seen.has(id)) {
    seen.add(id);
    way.push(id);
    id = needs.get(id)?.find((other) => waiting.has(other));
  }
  return id === undefined ? undefined : [...way.slice(way.indexOf(id)), id];
}

/** The tasks that can never begin: those of a cycle, and those that need one of them. */
function unfinished(needs: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const open = new Map([...needs.keys()].map((id) => [id, 0]));
  const followers = new Map<string, string[]>();
  for (const [id, others] of needs) {
    for (const other of others.filter((each) => needs.has(each))) {
      open.set(id, (open.get(id) ?? 0) + 1);
      const known = followers.get(other);
      if (known) known.push(id);
      else followers.set(other, [id]);
    }
  }
  const ready = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    open.delete(id);
    for (const follower of followers.get(id) ?? []) {
      const count = (open.get(follower) ?? 0) - 1;
      open.set(follower, count);
      if (count === 0) ready.push(follower);
    }
  }
  return new Set(open.keys());
}
