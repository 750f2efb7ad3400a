import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resetTime } from '../../../../../daemon/sessions/profiles/resetTime/resetTime.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (iso: string) => Date.parse(iso);
const written = (text: string, now: string) => {
  const end = resetTime(text, at(now));
  return end === undefined ? undefined : new Date(end).toISOString();
};

describe('the end of a limit', () => {
  const NOW = '2026-11-26T11:20:00Z';

  it.each([
    ["You've hit your session limit · resets 3:45pm (UTC)", '2026-11-26T15:45:00.000Z'],
    ["You've hit your weekly limit · resets Dec 3, 9am (Europe/Berlin)", '2026-12-03T08:00:00.000Z'],
    ['Weekly limit reached · resets Jan 2, 2027, 9:30am (UTC)', '2027-01-02T09:30:00.000Z'],
    ['resets Jan 2, 9:30am (UTC)', '2027-01-02T09:30:00.000Z'],
    ['resets 5:00 PM (GMT+5:30)', '2026-11-26T11:30:00.000Z'],
    ['resets 1:30pm (UTC+2)', '2026-11-26T11:30:00.000Z'],
    ['resets 15:45 (UTC-03:30)', '2026-11-26T19:15:00.000Z'],
    ['resets Thu 9am (UTC)', '2026-12-03T09:00:00.000Z'],
    ['resets Thursday, 12:00 PM (UTC)', '2026-11-26T12:00:00.000Z'],
    ['resets Monday at 9am (America/New_York)', '2026-11-30T14:00:00.000Z'],
    ['resets tomorrow at 12:30am (UTC)', '2026-11-27T00:30:00.000Z'],
    ['Access resets at 3:35 PM UTC.', '2026-11-26T15:35:00.000Z'],
    ['resets at 2026-12-03T09:00:00Z', '2026-12-03T09:00:00.000Z'],
    ['resets at 2026-12-03T09:00:00.000+01:00', '2026-12-03T08:00:00.000Z'],
    ['resets 2026-12-03 09:00 (America/New_York)', '2026-12-03T14:00:00.000Z'],
    ['resets 2026-12-03 09:00 UTC+2', '2026-12-03T07:00:00.000Z'],
    ['Continuing automatically at Dec 2, 12pm (UTC) · Esc to cancel', '2026-12-02T12:00:00.000Z'],
    ['Try again on 3 December 2026, 9:05 AM (UTC)', '2026-12-03T09:05:00.000Z'],
    ['It will reset in 5 days 22 hours. To continue', '2026-12-02T09:20:00.000Z'],
    ['Your quota will reset after 21h56m44s.', '2026-11-27T09:16:44.000Z'],
    ['try again in 3 days 2 hours 5 minutes.', '2026-11-29T13:25:00.000Z'],
    ['RETRY IN 1H2M3.5S', '2026-11-26T12:22:03.500Z'],
    ['Please retry in 3597s.', '2026-11-26T12:19:57.000Z'],
    ['resets in about 2 days and 3 hours', '2026-11-28T14:20:00.000Z'],
    ['resets in less than a minute', '2026-11-26T11:21:00.000Z'],
    ['To reset, ask your admin; it resets 1pm (UTC)', '2026-11-26T13:00:00.000Z'],
  ])('%s', (text, end) => expect(written(text, NOW)).toBe(end));

  it('without a zone is in that of this machine', () => {
    const now = new Date(2026, 10, 26, 11, 20).getTime();
    expect(resetTime('try again at Dec 3rd, 2026 9:05 AM.', now)).toBe(new Date(2026, 11, 3, 9, 5).getTime());
    expect(resetTime('try again at 12:59 PM.', now)).toBe(new Date(2026, 10, 26, 12, 59).getTime());
  });

  it.each([
    'soon',
    'resets',
    'resets 25:00',
    'resets 13pm',
    'resets Feb 30, 9am',
    'resets 9am (Nowhere/Land)',
    'reset 5',
    'resets monthly at 9am',
    'resets 2026-12-03 09:00 (Nowhere/Land)',
    'resets in 5000 days',
    'resets in 99999999999999999999999 weeks',
    'resets at 9999-12-31T23:00Z',
  ])('is not in: %s', (text) => expect(written(text, NOW)).toBeUndefined());

  it('just past is that, and no day later', () => {
    expect(written('resets 11:18am (UTC)', NOW)).toBe('2026-11-26T11:18:00.000Z');
    expect(written('resets 11:59pm (UTC)', '2026-11-27T00:00:10Z')).toBe('2026-11-26T23:59:00.000Z');
    expect(written('resets Nov 26, 11am (UTC)', NOW)).toBe('2026-11-26T11:00:00.000Z');
    expect(written('resets 10:15am (UTC)', NOW)).toBe('2026-11-27T10:15:00.000Z');
    expect(written('resets Nov 25, 9am (UTC)', NOW)).toBeUndefined();
  });
});

describe('in a night when the clock changes', () => {
  const zone = '(Europe/Berlin)';

  it('takes the later of two moments', () => {
    expect(written(`resets 2:30am ${zone}`, '2026-10-24T23:00:00Z')).toBe('2026-10-25T01:30:00.000Z');
    expect(written(`resets Oct 25, 2:30am ${zone}`, '2026-10-20T23:00:00Z')).toBe('2026-10-25T01:30:00.000Z');
  });

  it('counts a time that the clock jumps over by the clock before', () =>
    expect(written(`resets 2:30am ${zone}`, '2026-03-28T23:00:00Z')).toBe('2026-03-29T01:30:00.000Z'));

  it('counts a day of 23 hours right', () =>
    expect(written(`resets tomorrow at 9am ${zone}`, '2026-03-28T08:00:00Z')).toBe('2026-03-29T07:00:00.000Z'));
});

describe('whatever a program writes', () => {
  const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia'];
  const zone = fc.constantFrom(...ZONES);
  const minute = fc.integer({ min: at('2026-01-01T00:00Z') / MINUTE, max: at('2028-01-01T00:00Z') / MINUTE });
  const format = (end: number, timeZone: string, more: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit', hour12: true, ...more }).format(
      end,
    );
  /** The clock shows that time twice: the later one counts. */
  const isTold = (found: number | undefined, end: number, shown: (at: number) => string) =>
    found === end || (found !== undefined && found > end && found - end <= HOUR && shown(found) === shown(end));

  it('a time of the next 22 hours is found', () =>
    fc.assert(
      fc.property(minute, zone, fc.integer({ min: 0, max: 22 * 60 }), (nth, timeZone, ahead) => {
        const [now, end] = [nth * MINUTE, (nth + ahead) * MINUTE];
        const shown = (each: number) => format(each, timeZone, {});
        return isTold(resetTime(`limit · resets ${shown(end)} (${timeZone})`, now), end, shown);
      }),
    ));

  it('a time of the last 59 minutes is found, also seconds later', () =>
    fc.assert(
      fc.property(minute, zone, fc.integer({ min: 1, max: 59 * 60 }), (nth, timeZone, late) => {
        const end = nth * MINUTE;
        const shown = (each: number) => format(each, timeZone, {});
        return isTold(resetTime(`resets ${shown(end)} (${timeZone})`, end + late * 1000), end, shown);
      }),
    ));

  it('a date of the next half year is found, with and without its year', () =>
    fc.assert(
      fc.property(minute, zone, fc.integer({ min: 0, max: 180 }), fc.boolean(), (nth, timeZone, days, hasYear) => {
        const [now, end] = [nth * MINUTE, nth * MINUTE + days * DAY];
        const date: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };
        if (hasYear) date.year = 'numeric';
        const shown = (each: number) => format(each, timeZone, date);
        return isTold(resetTime(`resets ${shown(end)} (${timeZone})`, now), end, shown);
      }),
    ));

  it('a weekday is the next one', () =>
    fc.assert(
      fc.property(minute, zone, fc.integer({ min: 0, max: 6 * 24 * 60 }), (nth, timeZone, ahead) => {
        const [now, end] = [nth * MINUTE, (nth + ahead) * MINUTE];
        const shown = (each: number) => format(each, timeZone, { weekday: 'long' });
        return isTold(resetTime(`resets ${shown(end)} (${timeZone})`, now), end, shown);
      }),
    ));

  it('a wait is added', () =>
    fc.assert(
      fc.property(fc.nat(30), fc.nat(23), fc.nat(59), fc.nat(59), (d, h, m, s) => {
        const wait = d * DAY + h * HOUR + m * MINUTE + s * 1000;
        expect(resetTime(`try again in ${d} days ${h} hours ${m} minutes ${s} seconds`, 7)).toBe(7 + wait);
        expect(resetTime(`will reset after ${d}d${h}h${m}m${s}s.`, 7)).toBe(7 + wait);
      }),
    ));

  it('no other text fails, or names an end before the last hour', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            'resets ',
            'try again at ',
            'in ',
            'Dec ',
            'Thu ',
            '3',
            '9',
            ':',
            ',',
            ' ',
            'am',
            'pm',
            '(',
            ')',
            'UTC',
            '+',
            '2026',
            'days',
            'h',
            'm',
            's',
            'x',
          ),
          { maxLength: 14 },
        ),
        (pieces) => {
          const now = at('2026-11-26T11:20:00Z');
          const end = resetTime(`resets ${pieces.join('')}`, now);
          expect(end === undefined || end >= now - HOUR).toBe(true);
        },
      ),
    ));
});
