/** The keys of both lists that are not in the longest row of keys whose order stayed. */
export function movedKeys(before: readonly string[], after: readonly string[]): string[] {
  const places = new Map(before.map((key, index) => [key, index]));
  const common = after.filter((key) => places.has(key));
  const stayed = longestRise(common.map((key) => places.get(key) as number));
  return common.filter((_, index) => !stayed.has(index));
}

/** The indexes of one of the longest rising subsequences. */
function longestRise(values: readonly number[]): Set<number> {
  /** At `n`, the index of the lowest value that ends a rise of `n + 1` values. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, value] of values.entries()) {
    const found = ends.findIndex((end) => (values[end] as number) >= value);
    const length = found < 0 ? ends.length : found;
    before[index] = ends[length - 1];
    ends[length] = index;
  }
  const rise = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = before[index]) rise.add(index);
  return rise;
}
