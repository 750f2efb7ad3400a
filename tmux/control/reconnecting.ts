interface Closable {
  readonly open: boolean;
  close(): Promise<void>;
}

interface ReconnectOptions<C> {
  /** Before each further try; the last one repeats. */
  readonly retryMs: readonly number[];
  /** Calls `lost` when the connection that it returned has ended. */
  readonly connect: (lost: () => void) => Promise<C>;
  readonly failed: (reason: string) => void;
}

/** Keeps one connection open. When it ends, it retries with growing waits. */
export class Reconnecting<C extends Closable> {
  readonly #options: ReconnectOptions<C>;
  #connection: C | undefined;
  #attempt: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #stopped = false;

  constructor(options: ReconnectOptions<C>) {
    this.#options = options;
  }

  get current(): C | undefined {
    return this.#connection?.open ? this.#connection : undefined;
  }

  /**
   * Tries now. Resolves when that try has succeeded or failed. A try already under way may have started too early to
   * succeed.
   */
  async now(): Promise<void> {
    await this.#attempt;
    clearTimeout(this.#timer);
    if (this.#stopped || this.current !== undefined) return;
    this.#attempt ??= this.#try().finally(() => {
      this.#attempt = undefined;
    });
    await this.#attempt;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#attempt;
    await this.#connection?.close();
  }

  async #try(): Promise<void> {
    try {
      this.#connection = await this.#options.connect(() => this.#later());
      this.#failures = 0;
      // The connection may have ended already.
      if (!this.#connection.open) this.#later();
    } catch (error) {
      this.#failures++;
      this.#options.failed(error instanceof Error ? error.message : String(error));
      this.#later();
    }
  }

  #later(): void {
    if (this.#stopped) return;
    clearTimeout(this.#timer);
    const { retryMs } = this.#options;
    const delay = retryMs[Math.min(this.#failures, retryMs.length - 1)];
    this.#timer = setTimeout(() => void this.now(), delay);
  }
}
