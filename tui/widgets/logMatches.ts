/** The matches found so far in a list that only grows. */
interface Found {
  readonly query: string;
  readonly hits: number[];
  upTo: number;
}

const newest = new WeakMap<object, Found>();

/**
 * The indexes of the first `count` items that contain all the words. Items are searched once: a new call searches only
 * new items, and a longer query only the earlier matches.
 */
export function logMatches<T>(
  items: readonly T[],
  count: number,
  query: string,
  textOf: (item: T) => string,
): readonly number[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const isHit = (at: number) => {
    const text = textOf(items[at] as T).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const before = newest.get(items);
  const isSame = before?.query === query;
  const isNarrower = before !== undefined && before.query !== '' && query.startsWith(before.query);
  const found: Found = isSame
    ? before
    : { query, hits: isNarrower ? before.hits.filter(isHit) : [], upTo: isNarrower ? before.upTo : 0 };
  for (let at = found.upTo; at < count; at += 1) if (isHit(at)) found.hits.push(at);
  found.upTo = Math.max(found.upTo, count);
  newest.set(items, found);
  return found.hits;
}
