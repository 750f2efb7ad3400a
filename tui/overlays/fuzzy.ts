/**
 * How well the letters of `query` are found in `text`, in their order; undefined when they are not. Lower is better: letters
 * that follow each other, and letters that begin a word, cost nothing.
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

/** What is found only in the second text is as much worse as a handful of letters that do not follow each other. */
const FARTHER = 4;

/** Those that match, best first; with nothing asked all, in their order. `alsoOf` is looked in as well, and counts less. */
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
    return near ?? (far === undefined ? undefined : far + FARTHER);
  };
  return items
    .map((item, nth) => ({ item, nth, cost: costOf(item) }))
    .filter((each): each is { item: T; nth: number; cost: number } => each.cost !== undefined)
    .sort((a, b) => a.cost - b.cost || a.nth - b.nth)
    .map(({ item }) => item);
}
