/**
 * Caches what is made from an object for as long as the object exists. Answers and transcript lines never change in place, so
 * the cache is never stale. A key press then does not render a thousand lines again.
 */
export function memoize<T extends object, R>(
  make: (source: T, variant: string) => R,
): (source: T, variant?: string) => R {
  const cache = new WeakMap<T, Map<string, R>>();
  return (source, variant = '') => {
    const made = cache.get(source) ?? new Map<string, R>();
    if (!cache.has(source)) cache.set(source, made);
    const cached = made.get(variant);
    if (cached !== undefined) return cached;
    // Old widths and search words would pile up.
    if (made.size >= MAX_VARIANTS) made.clear();
    const result = make(source, variant);
    made.set(variant, result);
    return result;
  };
}

const MAX_VARIANTS = 8;
