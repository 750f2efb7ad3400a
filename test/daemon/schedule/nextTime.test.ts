import { describe, expect, test } from 'vitest';
import { checkedTiming, lastTime, nextTime, nextTimes } from '../../../daemon/schedule/nextTime.ts';

/** Moments in UTC, to the minute. */
const times = (expression: string, zone: string, after: string, count: number) =>
  nextTimes({ expression, zone }, new Date(after), count).map((at) => at.toISOString().slice(0, 16));

describe('gives the next times of a place', () => {
  test.each([
    ['a day of work, winter', '0 6 * * 1-5', 'Europe/Berlin', '2026-11-27T06:00Z', '2026-11-30T05:00 2026-12-01T05:00'],
    ['never the moment itself', '0 6 * * *', 'UTC', '2026-01-01T06:00Z', '2026-01-02T06:00'],
    ['a gap: right after it', '30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', '2026-03-29T01:00 2026-03-30T00:30'],
    ['an overlap: once', '30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', '2026-10-25T00:30 2026-10-26T01:30'],
    ['the hour of a gap', '0 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', '2026-03-29T01:00 2026-03-30T00:00'],
    ['the hour of an overlap', '0 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', '2026-10-25T00:00 2026-10-26T01:00'],
    ['a list in a gap', '30 2,14 * * *', 'Europe/Berlin', '2026-03-28T20:00Z', '2026-03-29T01:00 2026-03-29T12:30'],
    [
      'a list in an overlap',
      '30 2,14 * * *',
      'Europe/Berlin',
      '2026-10-24T20:00Z',
      '2026-10-25T00:30 2026-10-25T13:30',
    ],
    ['an interval in a gap', '*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:30Z', '2026-03-29T01:00 2026-03-29T01:30'],
    [
      'an interval in an overlap',
      '0 * * * *',
      'America/New_York',
      '2026-11-01T04:30Z',
      '2026-11-01T05:00 2026-11-01T06:00',
    ],
    ['New York, gap', '30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', '2026-03-08T07:00 2026-03-09T06:30'],
    [
      'half an hour of gap',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-02T16:00Z',
      '2026-10-03T15:30 2026-10-04T15:15',
    ],
    [
      'half an hour twice',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-03T15:00Z',
      '2026-04-04T14:45 2026-04-05T15:15',
    ],
    ['a day that never was', '0 6 * * *', 'Pacific/Apia', '2011-12-28T20:00Z', '2011-12-29T16:00 2011-12-30T16:00'],
    [
      'a quarter of an hour off',
      '45 3 * * *',
      'Pacific/Chatham',
      '2026-04-03T15:00Z',
      '2026-04-04T15:00 2026-04-05T15:00',
    ],
    ['a leap day', '0 0 29 2 *', 'UTC', '2097-01-01T00:00Z', '2104-02-29T00:00 2108-02-29T00:00'],
    ['the end of a year', '@yearly', 'UTC', '2026-12-31T23:59Z', '2027-01-01T00:00 2028-01-01T00:00'],
    ['either day, as cron has it', '0 0 13 * fri', 'UTC', '2026-01-10T00:00Z', '2026-01-13T00:00 2026-01-16T00:00'],
    ['Sunday as 7', '0 0 * * 7', 'UTC', '2026-01-01T00:00Z', '2026-01-04T00:00 2026-01-11T00:00'],
  ])('%s', (_, expression, zone, after, expected) => {
    const wanted = expected.split(' ');
    expect(times(expression, zone, after, wanted.length)).toEqual(wanted);
  });
});

test.each([
  ['30 2 * * *', 'Europe/Berlin', '2026-03-20T00:00Z'],
  ['30 2,14 * * *', 'Europe/Berlin', '2026-10-20T00:00Z'],
  ['*/20 1-3 * * *', 'Australia/Lord_Howe', '2026-04-02T00:00Z'],
  ['45 3 * * *', 'Pacific/Chatham', '2026-09-24T00:00Z'],
])('finds %s in %s backwards as it does forwards', (expression, zone, from) => {
  const timing = { expression, zone };
  const forwards = nextTimes(timing, new Date(from), 40);
  for (const [index, at] of forwards.entries()) {
    expect(lastTime(timing, at)).toEqual(at);
    expect(lastTime(timing, new Date(at.getTime() - 1))).toEqual(
      forwards[index - 1] ?? lastTime(timing, new Date(from)),
    );
    expect(nextTime(timing, new Date(at.getTime() + 999))).toEqual(forwards[index + 1] ?? nextTime(timing, at));
  }
});

const NOW = new Date('2026-01-01T00:00:00Z');
const checked = (expression: string, zone = 'UTC') => checkedTiming({ expression, zone }, NOW);

test('keeps expressions and zones in one form', () => {
  expect(checked(' 0\t6  * jan,FEB mon-Fri ')).toEqual({ expression: '0 6 * jan,feb mon-fri', zone: 'UTC' });
  expect(checked('@Daily', 'europe/berlin')).toEqual({ expression: '@daily', zone: 'Europe/Berlin' });
});

test.each([
  ...['', ' ', '* * * *', '* * * * * *', '0 0 0 1 1 * 2027', '61 * * * *', '0 24 * * *', '0 6 * * 8', '0 0 0 * *'],
  ...['0 0 1 13 *', '-1 * * * *', '5-1 * * * *', '*/0 * * * *', '*/99 * * * *', '*/5/2 * * * *', '1,,2 * * * *'],
  ...['1e3 * * * *', '0x1 * * * *', '0 6 * * funday', '0 6 * * monday', '0 6 * * 1#2', '0 0 L * *', '0 0 15W * *'],
  ...[
    '? * * * *',
    '0 6 * * +5',
    '@every 5m',
    '@reboot',
    '@',
    '2027-01-01T00:00:00',
    '0 6 * * 1; rm -rf /',
    '* * * * ＊',
  ],
  ...[
    '0 0 31 2 *',
    '0 0 30 2 *',
    '0 6 * * *\n0 7 * * *',
    '\u0000 * * * *',
    `${'0,'.repeat(400)}0 * * * *`,
    '9'.repeat(100_000),
  ],
])('refuses the expression %j', (expression) => {
  expect(() => checked(expression)).toThrow(expect.objectContaining({ code: 'usage' }));
});

test.each([
  '',
  'Mars/Base',
  '../etc',
  '+02:00',
  'UTC+2',
  '/etc/passwd',
  'Europe/Berlin\n',
  'A'.repeat(10_000),
  '__proto__',
])('refuses the zone %j', (zone) => {
  expect(() => checked('@daily', zone)).toThrow(/^There is no time zone/);
});
