/** Many shared holders, or one exclusive holder. */
export class SharedExclusiveLock {
  readonly #running = new Set<Promise<unknown>>();
  #alone: Promise<unknown> | undefined;

  /** Runs beside other shared work, never beside exclusive work. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone.catch(() => {});
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Waits until nothing runs. Work that comes meanwhile waits behind it. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone.catch(() => {});
    const running = Promise.allSettled(this.#running).then(work);
    this.#alone = running;
    try {
      return await running;
    } finally {
      this.#alone = undefined;
    }
  }
}
