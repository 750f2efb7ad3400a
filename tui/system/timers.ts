/** Time, as far as the dashboard waits for it. Tests give their own. */
export interface Timers {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `act` once after so many milliseconds, unless the returned function is called first. */
  after(ms: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
