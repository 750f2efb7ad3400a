interface Actions {
  /** Send a command that must be answered. */
  readonly probe: () => void;
  readonly abandon: () => void;
}

/** Watches a connection while answers are outstanding. An idle connection has no timer. */
export class Watchdog {
  readonly #quietMs: number;
  readonly #actions: Actions;
  #timer: NodeJS.Timeout | undefined;
  #hasInput = false;
  #probed = false;

  constructor(quietMs: number, actions: Actions) {
    this.#quietMs = quietMs;
    this.#actions = actions;
  }

  /** A command was sent. */
  waiting(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#quietMs);
  }

  /** Any input arrived. */
  onInput(): void {
    this.#hasInput = true;
  }

  /** Nothing is outstanding. */
  idle(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#probed = false;
  }

  #look(): void {
    const hadInput = this.#hasInput;
    this.#hasInput = false;
    if (hadInput) this.#probed = false;
    else if (this.#probed) this.#actions.abandon();
    else {
      this.#probed = true;
      this.#actions.probe();
    }
  }
}
