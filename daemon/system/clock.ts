/** A source of time. Tests pass their own. */
export interface Clock {
  now(): Date;
}

/** The clock of this machine: for its files and processes. Events and deadlines of runs are by the database's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** A moment of another clock, by the clock of this machine. */
export function onThisMachine(at: Date, clock: Clock): Date {
  return new Date(systemClock.now().getTime() - (clock.now().getTime() - at.getTime()));
}

/** A timer stands still with a suspended machine and ignores a set clock. So a longer wait takes several. */
export const LONGEST_PAUSE_MS = 60_000;

/**
 * Resolves at `at` by the clock. After the machine was suspended or its clock was set, it is at most a minute late.
 * Rejects when the signal aborts.
 */
export async function sleepUntil(at: Date, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const left = at.getTime() - clock.now().getTime();
    if (left <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(done, Math.min(left, LONGEST_PAUSE_MS));
      function done() {
        signal.removeEventListener('abort', aborted);
        resolve();
      }
      function aborted() {
        clearTimeout(timer);
        reject(signal.reason);
      }
      signal.addEventListener('abort', aborted, { once: true });
    });
  }
}
