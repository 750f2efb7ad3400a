import { type Document, isScalar, visit } from 'yaml';

/** The offsets of keys that their map has already. The parser's own check compares each key with all others. */
export function duplicateKeys(document: Document): number[] {
  const found: number[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) found.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return found;
}
