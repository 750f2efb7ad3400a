import { duration } from '../duration.ts';

/** Clocks that differ by more confuse people: what has just happened seems to lie in the future. */
const MOST_SKEW_MS = 2_000;

/** A clock's difference from the database's, such as `1m 30s ahead`; undefined if small or unknown. */
export function skewText(ms: number | null | undefined): string | undefined {
  if (ms === null || ms === undefined || Math.abs(ms) <= MOST_SKEW_MS) return undefined;
  return `${duration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;
}

/** A sentence about it, without its article and end. */
export function wrongClock(whose: string, ms: number | null | undefined): string | undefined {
  const skew = skewText(ms);
  return skew && `clock of ${whose} is ${skew}${skew.endsWith('ahead') ? ' of' : ''} the database's`;
}

/** The fix for a wrong clock. */
export const SET_CLOCK = 'Let the machine set its clock by NTP (on Linux: timedatectl set-ntp true).';
