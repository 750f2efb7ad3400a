/** Tells a reader that follows a pane how to wait for more. */
export interface Pace {
  /** So many bytes were read since the last wait. */
  took(bytes: number): void;
  /**
   * Milliseconds to wait if the pane prints constantly, little at a time; undefined: wait for a notification. Call it
   * before each wait.
   */
  next(now: number): number | undefined;
}

/** The time for which a pane must print without pause. */
const STEADY_AFTER_MS = 10_000;
/** A longer silence is a pause. */
const PAUSE_MS = 500;
const NEAR_MS = 5;
/** More than a spinner prints between two looks. Such output is read as it comes. */
const FLOOD_BYTES = 16 * 1024;

/**
 * A spinner prints ten times a second, for minutes, and each notification wakes the process. Readers whose `everyMs`
 * are multiples of each other wake at the same times. So many spinners wake the process no more often than one. Pure.
 */
export function createPace(everyMs: number, begin: number, steadyAfterMs = STEADY_AFTER_MS): Pace {
  let begunAt = begin;
  let lastAt = begin;
  let taken = 0;
  return {
    took(bytes) {
      taken += bytes;
    },
    next(now) {
      if (now - lastAt > PAUSE_MS || taken > FLOOD_BYTES) begunAt = now;
      if (taken > 0) lastAt = now;
      taken = 0;
      if (now - begunAt < steadyAfterMs) return undefined;
      const left = Math.ceil(everyMs - (now % everyMs));
      // A timer may come a little early.
      return left < NEAR_MS ? left + everyMs : left;
    },
  };
}
