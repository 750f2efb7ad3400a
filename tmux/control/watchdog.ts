interface Remedies {
  /** Send something that must be answered. */
  readonly probe: () => void;
  readonly giveUp: () => void;
}

/** Watches a connection while answers are outstanding, and only then: an idle one has no timer. */
export class Watchdog {
  readonly #quietMs: number;
  readonly #remedies: Remedies;
  #timer: NodeJS.Timeout | undefined;
  #heardSince = false;
  #probed = false;

  constructor(quietMs: number, remedies: Remedies) {
    this.#quietMs = quietMs;
    this.#remedies = remedies;
  }

  /** A command was sent. */
  waiting(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#quietMs);
  }

  /** Anything at all came in. */
  heard(): void {
    this.#heardSince = true;
  }

  /** Nothing is outstanding. */
  idle(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#probed = false;
  }

  #look(): void {
    const heard = this.#heardSince;
    this.#heardSince = false;
    if (heard) this.#probed = false;
    else if (this.#probed) this.#remedies.giveUp();
    else {
      this.#probed = true;
      this.#remedies.probe();
    }
  }
}
