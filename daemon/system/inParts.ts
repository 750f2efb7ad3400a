import { setImmediate as nextTurn } from 'node:timers/promises';

/** Does a long computation, and lets others work between its parts. */
export async function inParts<T>(parts: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
    await nextTurn();
  }
}
