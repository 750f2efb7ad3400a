/** Runs one piece of work after another. A failure goes to its caller and blocks nobody. */
export interface SessionLock {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when all work requested so far is done. */
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
