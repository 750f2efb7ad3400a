/** Runs what is given one after another; a failure is its caller's and holds up nobody. */
export interface SessionLock {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when nothing that was asked for so far is still under way. */
  idle(): Promise<void>;
}

export function createSessionLock(): SessionLock {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    },
    async idle() {
      await last;
    },
  };
}
