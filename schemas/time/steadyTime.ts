/**
 * Durations are measured with a clock that never jumps. `Date.now()` jumps when a person or NTP sets it. A wait that it
 * measures would then end at once or never. It is for times that are stored, shown, or agreed with others.
 */

/** Node fires a longer timer at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Milliseconds of a clock that never jumps. It begins as the time since 1970 when this process started. So its values
 * sort only with earlier ones of the same process. It stands still while the machine is suspended.
 */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}

/** A reported time in the future counts as now: another clock set it, or this clock was set back. */
export function atMostNow(wallTime: number): number {
  return Math.min(wallTime, Date.now());
}

/** Milliseconds since a time of the wall clock, never negative. */
export function passedSince(wallTime: number): number {
  return Date.now() - atMostNow(wallTime);
}

/** That time of the wall clock on the steady clock. Convert a time once and keep the result: the wall clock may jump. */
export function steadyTimeOf(wallTime: number): number {
  return steadyNow() - passedSince(wallTime);
}

/** The steady time as the wall clock now shows it, for people and records. */
export function wallTimeOf(steadyTime: number): number {
  return Date.now() - (steadyNow() - steadyTime);
}

/** Converts the times that one source reports while it is watched. Its last time again gives the same result. */
export interface ReportedTimes {
  steady(wallTime: number): number;
  /** All that there was has been read: what comes later is not older than this moment, whatever its time says. */
  looked(): void;
}

/** A larger step between the two clocks is a jump. Small ones come from the adjustment of the wall clock's speed. */
const JUMP_MS = 1000;

/**
 * After a jump of the wall clock, a new time counts as now. Nothing says which clock it was taken with, and a watched
 * source has just reported it.
 */
export function createReportedTimes(): ReportedTimes {
  const difference = () => Date.now() - steadyNow();
  let before = difference();
  let last: { wallTime: number; steady: number } | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    steady(wallTime) {
      if (last?.wallTime === wallTime) return last.steady;
      const now = difference();
      const hasJumped = Math.abs(now - before) > JUMP_MS;
      before = now;
      last = { wallTime, steady: hasJumped ? steadyNow() : Math.max(lookedAt, steadyTimeOf(wallTime)) };
      return last.steady;
    },
    looked() {
      lookedAt = steadyNow();
    },
  };
}

/** Milliseconds to wait before the next try: `firstMs`, doubled after each failure, and never more than `longestMs`. */
export function backoffMs(failures: number, { firstMs, longestMs }: { firstMs: number; longestMs: number }): number {
  return Math.min(longestMs, firstMs * 2 ** failures);
}
