import { type Day, dayOf } from './day.ts';

/** A zone as Intl names it; undefined is this machine's. */
export type Zone = string | undefined;

/** `Europe/Berlin`, `UTC`, `Z`, `GMT+5:30`, `UTC-3`. */
export function zoneOf(name: string | undefined): Zone | 'unknown' {
  const [, sign, hours = '', minutes = '00'] = /^(?:UTC|GMT)([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name ?? '') ?? [];
  const zone = sign ? `${sign}${hours.padStart(2, '0')}:${minutes}` : name === 'Z' ? 'UTC' : name;
  try {
    formatOf(zone);
    return zone;
  } catch {
    return 'unknown';
  }
}

/** The day of that moment in the zone. */
export function localDay(at: number, zone: Zone): Day {
  return dayOf(new Date(at + offsetAt(at, zone)));
}

/**
 * The moment of that minute in the zone; undefined for a day that no calendar has. When the clock goes back, a minute
 * has two moments. The later one counts, because a prompt before the end of a limit is refused. A time that the clock
 * jumps over counts by the clock before the jump.
 */
export function instantOf({ year, month, day }: Day, minute: number, zone: Zone): number | undefined {
  const midnight = Date.UTC(year, month, day);
  if (dayOf(new Date(midnight)).day !== day) return undefined;
  const local = midnight + minute * 60_000;
  const offsets = [local - DAY_MS, local + DAY_MS].map((near) => offsetAt(near, zone));
  const found = offsets.map((offset) => local - offset).filter((at) => at + offsetAt(at, zone) === local);
  return found.length > 0 ? Math.max(...found) : local - (offsets[0] ?? 0);
}

const DAY_MS = 24 * 60 * 60_000;

/** The lead of the zone's clock over UTC, in milliseconds. */
function offsetAt(at: number, zone: Zone): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

const formats = new Map<Zone, Intl.DateTimeFormat>();

function formatOf(timeZone: Zone): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-GB', { ...numeric, second: 'numeric', hourCycle: 'h23', timeZone });
  formats.set(timeZone, format);
  return format;
}
