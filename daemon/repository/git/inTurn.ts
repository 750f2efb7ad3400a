const queues = new Map<string, Promise<unknown>>();

/** Runs the calls for one key one at a time, in order. */
export function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const done = (queues.get(key) ?? Promise.resolve()).then(work);
  const settled = done
    .catch(() => {})
    .then(() => {
      if (queues.get(key) === settled) queues.delete(key);
    });
  queues.set(key, settled);
  return done;
}
