/** Ending the agents and one commit take a few seconds. A server of Temporal that is gone would take for ever. */
const LONGEST_MS = 20_000;

/** Lets callers wait until the branch of an ended run has its last files. */
export function createDeliveryWaits() {
  const waiting = new Set<() => void>();
  return {
    /** Resolves when they are there, or after 20 seconds. */
    async wait(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, LONGEST_MS);
      waiting.add(resolve);
      await promise;
      clearTimeout(timer);
      waiting.delete(resolve);
    },
    /** They are there, or will never be. */
    release(): void {
      for (const resolve of waiting) resolve();
    },
  };
}
