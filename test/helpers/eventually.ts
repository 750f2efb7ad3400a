import { vi } from 'vitest';

/** Tries an assertion until it holds. If it never does, the test fails with what it said last. For a condition see `until`. */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: 60_000, interval: 10 });
}
