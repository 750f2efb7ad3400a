/** When the text of `age` next changes. */
export function ageChangesAt(since: string | null | undefined, now: number): number | undefined {
  return nextUnit(since, now, (seconds) =>
    seconds < 60 ? 1 : seconds < 3600 ? 60 : seconds < 48 * 3600 ? 3600 : 86_400,
  );
}

/** When a text that counts in units next changes. */
export function nextUnit(
  since: string | null | undefined,
  now: number,
  unitOf: (seconds: number) => number,
): number | undefined {
  const from = Date.parse(since ?? '');
  if (Number.isNaN(from)) return undefined;
  const seconds = Math.max(0, Math.floor((now - from) / 1000));
  const unit = unitOf(seconds);
  return from + (Math.floor(seconds / unit) + 1) * unit * 1000;
}

/** The local time, with the date unless it is today. */
export function clock(time: string, now: number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (at.toDateString() === new Date(now).toDateString()) return hours;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${hours}`;
}

/** The local time for a list: month and day without the year. */
export function shortClock(time: string, now: number): string {
  const whole = clock(time, now);
  return whole.length > 8 ? whole.slice(5) : whole;
}

/** The earliest of the times that are defined. */
export function earliest(times: Iterable<number | undefined>): number | undefined {
  let first: number | undefined;
  for (const time of times) if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}
