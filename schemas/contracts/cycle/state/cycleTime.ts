const HOURS_8 = 8 * 60 * 60 * 1000;
const OFFSET = '+08:00';
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');

/** An instant as cycles write it: seconds, in UTC+8. */
export function cycleTime(now: number): string {
  return `${localTime(now)}${OFFSET}`;
}

/** The same for names of files: `20260122T100000`. */
export function compactTime(now: number): string {
  return localTime(now).replaceAll(/[-:]/g, '');
}

/** True if a valid time is in the time zone of cycles. */
export function isCycleZone(time: string): boolean {
  return time.endsWith(OFFSET);
}

/** Years have four digits. An instant beyond them is written as the first or last one. */
function localTime(now: number): string {
  const local = Math.min(Math.max(now + HOURS_8, FIRST), LAST);
  return new Date(local).toISOString().slice(0, 19);
}
