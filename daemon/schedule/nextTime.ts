import { Cron } from 'croner';
import { DevflowError } from '../../schemas/errors.ts';

/** When a schedule starts: an expression of cron, in the time of a place. */
export interface Timing {
  /** Five fields, or a name such as `@daily`. */
  expression: string;
  /** An IANA name. */
  zone: string;
}

const NAMES = ['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually'];

/** The signs of cron everywhere. Those that only some programs know, such as `L` and `#`, would not move with a person. */
const FIELD = /^[\d*,/-]+$/;
const WORDS = /(?<![a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)(?![a-z])/g;

const LONGEST = 500;

/** The next time after a moment; null: there is none. */
export function nextTime(timing: Timing, after: Date): Date | null {
  return cronOf(timing).nextRun(after);
}

/** The newest time that is not after a moment; null: there was none. */
export function lastTime(timing: Timing, now: Date): Date | null {
  // For croner the past ends before the moment, and times are whole seconds.
  const after = new Date(Math.floor(now.getTime() / 1000) * 1000 + 1000);
  return cronOf(timing).previousRuns(1, after)[0] ?? null;
}

/** The next times after a moment, the first of them first. */
export function nextTimes(timing: Timing, after: Date, count: number): Date[] {
  return cronOf(timing).nextRuns(count, after);
}

/** The timing in one form. Throws `usage` if it is none, or has no time. */
export function checkedTiming({ expression: given, zone: place }: Timing, now: Date): Timing {
  const expression = checkedExpression(given);
  const zone = zoneNamed(place);
  const refuse = (why: string, cause?: unknown) =>
    new DevflowError('usage', `The expression ${JSON.stringify(given)} ${why}.`, { recoveryHint: HINT, cause });
  if (expression === undefined) throw refuse('is not one of cron');
  if (zone === undefined) {
    const recoveryHint = 'Name it as the time zone database does, such as Europe/Berlin, or UTC.';
    throw new DevflowError('usage', `There is no time zone ${JSON.stringify(place)}.`, { recoveryHint });
  }
  try {
    if (nextTime({ expression, zone }, now) !== null) return { expression, zone };
  } catch (error) {
    throw refuse('is not one of cron', error);
  }
  throw refuse('has no time, such as February 31');
}

const HINT = `Give minute, hour, day of the month, month and day of the week, such as "0 6 * * 1-5", or one of ${NAMES.join(', ')}.`;

/** A zone of this machine; undefined if there is none of that name. */
function zoneNamed(name: string): string | undefined {
  // An offset is no place: it knows no summer.
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

function checkedExpression(given: string): string | undefined {
  if (given.length > LONGEST) return undefined;
  const words = given.trim().toLowerCase().split(/\s+/);
  const expression = words.join(' ');
  if (NAMES.includes(expression)) return expression;
  const isKnown = words.length === 5 && words.every((word) => FIELD.test(word.replace(WORDS, '1')));
  return isKnown ? expression : undefined;
}

/**
 * As cron at a change of the clocks: a time of the day that does not come is made up for right after the gap, one that
 * comes twice is taken once, and intervals go on.
 */
function cronOf({ expression, zone }: Timing): Cron {
  return new Cron(expression, { timezone: zone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
}
