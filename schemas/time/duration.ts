/** The time since then, in its largest unit: `12s`, `4m`, `3h`, `9d`. Empty for no time. */
export function age(since: string | null | undefined, now = Date.now()): string {
  if (since === null || since === undefined) return '';
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (Number.isNaN(seconds)) return '';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** A duration in its two largest units: `0.4s`, `12s`, `3m 05s`, `2h 10m`, `3d 4h`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)}s`;
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${two(Math.floor(seconds / 60) % 60)}m`;
  return `${Math.floor(seconds / 86_400)}d ${Math.floor(seconds / 3600) % 24}h`;
}

/** The time between two ISO times. Empty if one is missing. */
export function durationBetween(from: string | null, to: string | null): string {
  return from === null || to === null ? '' : duration(Date.parse(to) - Date.parse(from));
}

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
