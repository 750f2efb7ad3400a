/** Calls `read` once for each key. */
export function memoize<K, T>(read: (given: K) => T, keyOf: (given: K) => string): (given: K) => T {
  const known = new Map<string, T>();
  return (given) => {
    const key = keyOf(given);
    const found = known.has(key) ? (known.get(key) as T) : read(given);
    known.set(key, found);
    return found;
  };
}
