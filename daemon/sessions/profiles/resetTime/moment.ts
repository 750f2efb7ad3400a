import { type Day, type DayIn, dayIn, dayOf, laterBy, weekdayOf } from './day.ts';
import { instantOf, localDay, type Zone, zoneOf } from './zone.ts';

const TIME = /^(?:(?:at )?(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*([ap])\.?m\b\.?|(?:at )?(\d{1,2}):(\d{2})(?::\d{2})?)/i;
/** In brackets any name; without them only one that no other word looks like. */
const ZONE = /^\s*(?:\(([^()\s]+)\)|((?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?)\b|(Z)\b)/;
const ISO = /^(?:at )?(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?([+-]\d{2}:?\d{2})?/;

/**
 * A moment at the start of the text: `3:45pm (UTC)`, `Dec 3, 9am (Europe/Berlin)`, `Thu 9:00 AM`, `at Dec 3rd, 2026
 * 9:05 AM`.
 */
export function momentIn(text: string, now: number): number | undefined {
  const iso = isoIn(text);
  if (iso !== undefined) return iso >= now - JUST_PAST_MS ? iso : undefined;
  const found = dayIn(text.replace(/^(?:at|on) /i, ''));
  const time = TIME.exec(found.rest);
  const minute = time ? minuteOfDay(time) : 0;
  if ((!time && !found.day) || minute === undefined) return undefined;
  const zone = zoneIn(found.rest.slice(time?.[0].length ?? 0));
  if (zone === 'unknown') return undefined;
  const ends = daysFor(found, localDay(now, zone)).map((day) => instantOf(day, minute, zone));
  return ends.find((end) => end !== undefined && end >= now - JUST_PAST_MS);
}

/** Programs show full minutes, perhaps of another clock. So an end just past is still the one that is meant. */
const JUST_PAST_MS = 60 * 60_000;

/** The days that the text may mean, in their order. */
function daysFor({ day, year, weekday, inDays }: DayIn, today: Day): Day[] {
  if (day && year !== undefined) return [{ ...day, year }];
  if (day) return [-1, 0, 1].map((years) => ({ ...day, year: today.year + years }));
  const ahead = (days: number) => laterBy(days, today);
  if (inDays !== undefined) return [ahead(inDays)];
  const week = [-1, 0, 1, 2, 3, 4, 5, 6, 7].map(ahead);
  if (weekday === undefined) return week.slice(0, 3);
  return week.filter((each) => weekdayOf(each) === weekday);
}

function minuteOfDay([, hour, minute = '0', half, hour24, minute24]: RegExpExecArray): number | undefined {
  const [h, m] = half ? [Number(hour), Number(minute)] : [Number(hour24), Number(minute24)];
  if (h > (half ? 12 : 23) || m > 59) return undefined;
  return ((half ? h % 12 : h) + (half?.toLowerCase() === 'p' ? 12 : 0)) * 60 + m;
}

function zoneIn(text: string): Zone | 'unknown' {
  const [, bracketed, plain, z] = ZONE.exec(text) ?? [];
  return zoneOf(bracketed ?? plain ?? z);
}

function isoIn(text: string): number | undefined {
  const [whole = '', date, time, offset] = ISO.exec(text) ?? [];
  const local = new Date(`${date}T${time}Z`);
  if (Number.isNaN(local.getTime())) return undefined;
  const zone = offset === undefined ? zoneIn(text.slice(whole.length)) : zoneOf(`UTC${offset}`);
  if (zone === 'unknown') return undefined;
  return instantOf(dayOf(local), local.getUTCHours() * 60 + local.getUTCMinutes(), zone);
}
