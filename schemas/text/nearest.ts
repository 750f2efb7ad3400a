/**
 * The candidate that takes the fewest single-character edits to reach from `name`, for "did you mean" sentences.
 * Case is ignored; among equals the first candidate wins. Undefined only when there are no candidates.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replace = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const remove = (previous[column] as number) + 1;
      const insert = (current[column - 1] as number) + 1;
      current.push(Math.min(replace, remove, insert));
    }
    previous = current;
  }
  return previous[b.length] as number;
}
