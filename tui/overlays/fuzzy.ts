/**
 * The cost of finding the letters of `query` in `text` in their order; undefined when they are not all there. Adjacent letters
 * and the first letters of words cost nothing.
 */
export function fuzzy(query: string, text: string): number | undefined {
  const letters = [...query.toLowerCase()].filter((letter) => letter !== ' ');
  const whole = text.toLowerCase();
  let from = 0;
  let cost = 0;
  for (const letter of letters) {
    const at = whole.indexOf(letter, from);
    if (at < 0) return undefined;
    const begins = at === 0 || /[ ._-]/.test(whole[at - 1] ?? '');
    if (at !== from) cost += (begins ? 0.2 : 1) + (at - from) / 100;
    from = at + letter.length;
  }
  return cost;
}

/** The extra cost of a match in the second text: as much as a few letters that are not adjacent. */
const SECOND_TEXT_COST = 4;

/** The matching items, best first; all of them for an empty query. A match in `alsoOf` counts less. */
export function rank<T>(
  query: string,
  items: readonly T[],
  textOf: (item: T) => string,
  alsoOf?: (item: T) => string,
): T[] {
  if (query.trim() === '') return [...items];
  const costOf = (item: T): number | undefined => {
    const near = fuzzy(query, textOf(item));
    const far = alsoOf && fuzzy(query, `${textOf(item)} ${alsoOf(item)}`);
    return near ?? (far === undefined ? undefined : far + SECOND_TEXT_COST);
  };
  return items
    .map((item, nth) => ({ item, nth, cost: costOf(item) }))
    .filter((each): each is { item: T; nth: number; cost: number } => each.cost !== undefined)
    .sort((a, b) => a.cost - b.cost || a.nth - b.nth)
    .map(({ item }) => item);
}
