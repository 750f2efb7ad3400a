/** When `age` next says something else. */
export function ageChangesAt(since: string | null | undefined, now: number): number | undefined {
  return nextUnit(since, now, (seconds) =>
    seconds < 60 ? 1 : seconds < 3600 ? 60 : seconds < 48 * 3600 ? 3600 : 86_400,
  );
}

/** The next whole unit after a time, by how many seconds it is ago. */
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

/** Hours, minutes and seconds where the person is; with the day when it was another one. */
export function clock(time: string, now: number): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  if (at.toDateString() === new Date(now).toDateString()) return hours;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${hours}`;
}

/** The same in a list: of another day the day says more than the year. */
export function shortClock(time: string, now: number): string {
  const whole = clock(time, now);
  return whole.length > 8 ? whole.slice(5) : whole;
}
