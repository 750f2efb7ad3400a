interface Duplicate {
  id: string;
  duplicateOf: string | null;
}

/** The finding that this one is a duplicate of, however many steps away; undefined if it is none. */
export function originalOf<T extends Duplicate>(findings: readonly T[], { duplicateOf }: Duplicate): T | undefined {
  const seen = new Set<string>();
  let original: T | undefined;
  for (let next = duplicateOf; next !== null && !seen.has(next); next = original?.duplicateOf ?? null) {
    seen.add(next);
    original = findings.find(({ id }) => id === next);
  }
  return original;
}
