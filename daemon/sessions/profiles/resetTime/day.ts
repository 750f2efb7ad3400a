/** A day of the calendar; `month` counts from 0. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

/** The day that a text begins with, as far as it is named, and what follows. */
export interface DayIn {
  day?: Omit<Day, 'year'>;
  year?: number;
  /** 0 is Sunday. */
  weekday?: number;
  /** `today` is 0. */
  inDays?: number;
  rest: string;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\\.?';
/** Not `monthly`. */
const WEEKDAY = '(sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?\\b\\.?';
const NTH = String.raw`(\d{1,2})(?:st|nd|rd|th)?\b(?!:|\s*[ap]\.?m\b)`;
const YEAR = String.raw`(?:,? (\d{4})\b(?!:))?`;
const BETWEEN = '(?:,? at |,? )?';

const NAMED = new RegExp(`^${WEEKDAY}${BETWEEN}`, 'i');
const MONTH_FIRST = new RegExp(`^${MONTH} ${NTH}${YEAR}${BETWEEN}`, 'i');
const DAY_FIRST = new RegExp(`^${NTH} ${MONTH}${YEAR}${BETWEEN}`, 'i');
const RELATIVE = new RegExp(`^(today|tomorrow)\\b${BETWEEN}`, 'i');

/** `Thu, `, `Dec 3rd, 2026 `, `3 December at `, `tomorrow at `, or nothing. */
export function dayIn(text: string): DayIn {
  const relative = RELATIVE.exec(text);
  if (relative) return { inDays: relative[1]?.toLowerCase() === 'today' ? 0 : 1, rest: after(text, relative) };
  const named = NAMED.exec(text);
  const rest = named ? after(text, named) : text;
  const [first, second] = [MONTH_FIRST.exec(rest), DAY_FIRST.exec(rest)];
  if (first) return dated(rest, first, { month: first[1], day: first[2] });
  if (second) return dated(rest, second, { month: second[2], day: second[1] });
  return named ? { weekday: WEEKDAYS.indexOf(threeOf(named[1])), rest } : { rest };
}

function dated(text: string, match: RegExpExecArray, { month, day }: { month?: string; day?: string }): DayIn {
  const year = match[3] === undefined ? {} : { year: Number(match[3]) };
  return { day: { month: MONTHS.indexOf(threeOf(month)), day: Number(day) }, ...year, rest: after(text, match) };
}

const threeOf = (name = '') => name.slice(0, 3).toLowerCase();

const after = (text: string, match: RegExpExecArray) => text.slice(match[0].length);

export function laterBy(days: number, { year, month, day }: Day): Day {
  return dayOf(new Date(Date.UTC(year, month, day + days)));
}

/** 0 is Sunday. */
export function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month, day)).getUTCDay();
}

/** By UTC. */
export function dayOf(at: Date): Day {
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), day: at.getUTCDate() };
}
