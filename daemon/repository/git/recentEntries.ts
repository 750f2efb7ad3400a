/** A cache with a limit, for keys that come and go. */
export interface RecentEntries<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
}

/** Beyond `most` entries it forgets the least recently used one. */
export function createRecentEntries<V>(most: number): RecentEntries<V> {
  /** A Map keeps the order in which its entries were set. */
  const entries = new Map<string, V>();
  const set = (key: string, value: V) => {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > most && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key) => void entries.delete(key),
  };
}
