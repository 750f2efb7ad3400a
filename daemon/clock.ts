/** The one source of time of the daemon: tests give their own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Node's timers overflow to 1 ms above this; a longer wait is taken in pieces. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Resolves at `at` (by the clock, so that a suspended machine is noticed), or rejects when the signal aborts. */
export async function sleepUntil(at: Date, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const left = at.getTime() - clock.now().getTime();
    if (left <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(done, Math.min(left, LONGEST_TIMER_MS));
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
