/**
 * What was made of a thing once, kept for as long as the thing is. Answers of the daemon and lines of a transcript are never
 * changed in place, so what was made of them stays right; a key press then does not draw a thousand lines again.
 */
export function memoize<T extends object, R>(make: (thing: T, how: string) => R): (thing: T, how?: string) => R {
  const known = new WeakMap<T, Map<string, R>>();
  return (thing, how = '') => {
    const made = known.get(thing) ?? new Map<string, R>();
    if (!known.has(thing)) known.set(thing, made);
    const before = made.get(how);
    if (before !== undefined) return before;
    // Widths and words that nobody asks for again would pile up.
    if (made.size >= MOST_WAYS) made.clear();
    const now = make(thing, how);
    made.set(how, now);
    return now;
  };
}

const MOST_WAYS = 8;
