/** Milliseconds to wait before the next try: `firstMs`, doubled after each failure, and never more than `longestMs`. */
export function backoffMs(failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  return Math.min(longestMs, firstMs * 2 ** failures);
}
