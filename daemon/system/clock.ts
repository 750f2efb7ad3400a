/** The daemon's only source of time. Tests pass their own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Longer timers overflow to 1 ms in Node, so a longer wait takes several. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Resolves at `at` by the clock, so that it notices a suspended machine. Rejects when the signal aborts. */
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
