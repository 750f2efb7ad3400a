import { type Document, isMap, isNode, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';

/** A key of a map, and its value. */
interface Entry {
  key: Node;
  value: unknown;
}

/** Where the key of a value begins, and where the value ends. */
export interface Span {
  offset: number;
  end: number;
}

/** Finds the value at a path, or the nearest parent that has a place. Each map is looked through once. */
export function yamlPlaces({ contents }: Document): (path: readonly PropertyKey[]) => Span | undefined {
  const indexed = new WeakMap<YAMLMap, Map<string, Entry>>();
  const entryOf = (map: YAMLMap, key: string) => {
    const entries = indexed.get(map) ?? entriesOf(map);
    indexed.set(map, entries);
    return entries.get(key);
  };
  return (path) => {
    let here: unknown = contents;
    let place: Node | undefined = contents ?? undefined;
    let last: Node | undefined = place;
    for (const step of path) {
      const entry = isMap(here) ? entryOf(here, String(step)) : undefined;
      here = entry ? entry.value : isSeq(here) ? here.get(step, true) : undefined;
      // The key of an entry, because its value may begin on a later line.
      const found = entry?.key ?? here;
      if (!isNode(found)) break;
      place = found;
      last = isNode(here) ? here : found;
    }
    const offset = place?.range?.[0];
    return offset === undefined ? undefined : { offset, end: last?.range?.[1] ?? offset };
  };
}

/** Only a plain key can be part of a path. */
function entriesOf({ items }: YAMLMap): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { key, value } of items) {
    if (isScalar(key) && !entries.has(String(key.value))) entries.set(String(key.value), { key, value });
  }
  return entries;
}
