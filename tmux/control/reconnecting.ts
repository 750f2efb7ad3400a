interface Closable {
  readonly open: boolean;
  close(): Promise<void>;
}

interface ReconnectOptions<C> {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Calls `lost` once the connection it returned has ended. */
  readonly connect: (lost: () => void) => Promise<C>;
  readonly failed: (reason: string) => void;
}

/** Keeps one connection standing: when it ends, another is tried, each time after twice as long. */
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

  /** Tries now; resolves when that try is over, well or not. A try that is under way may be too early to succeed. */
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
      // It may have ended before it was known here.
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
    const { firstMs, longestMs } = this.#options;
    this.#timer = setTimeout(() => void this.now(), Math.min(longestMs, firstMs * 2 ** this.#failures));
  }
}
