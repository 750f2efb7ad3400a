import { expect, test } from 'vitest';
import { dueOf } from '../../../daemon/schedule/missed.ts';

const at = (time: string) => new Date(`2026-06-${time}Z`);
const daily = { expression: '0 6 * * *', zone: 'UTC' };

test.each([
  ['in time', '01T06:00:00', '01T06:00:00', '02T06:00'],
  ['as late as a timer', '01T06:01:00', '01T06:00:00', '02T06:00'],
  ['an hour late', '01T07:00:00', '01T06:00:00', '02T06:00'],
  ['a week off: the newest alone', '08T05:59:59', '07T06:00:00', '08T06:00'],
  ['a week off, and in time again', '08T06:00:30', '08T06:00:00', '09T06:00'],
])('makes up once for what was missed: %s', (_, now, occurrence, next) => {
  expect(dueOf({ ...daily, missed: 'once' }, at('01T06:00:00'), at(now))).toEqual({
    occurrence: at(occurrence),
    isSkipped: false,
    next: at(`${next}:00`),
  });
});

test.each([
  ['01T06:00:00', false],
  ['01T06:05:00', false],
  ['01T06:05:01', true],
  ['08T05:00:00', true],
  ['08T06:00:30', false],
])('skips what was missed if a person wants that: at %s %s', (now, isSkipped) => {
  expect(dueOf({ ...daily, missed: 'skip' }, at('01T06:00:00'), at(now))).toMatchObject({ isSkipped });
});

test('stays at the planned time if the expression was another when it was planned', () => {
  const due = dueOf({ expression: '0 5 * * *', zone: 'UTC', missed: 'once' }, at('01T06:00:00'), at('01T06:00:00'));
  expect(due).toEqual({ occurrence: at('01T06:00:00'), isSkipped: false, next: at('02T05:00:00') });
});

test('goes on a year later as if nothing was', () => {
  const due = dueOf({ ...daily, missed: 'once' }, at('01T06:00:00'), new Date('2027-06-01T06:30:00Z'));
  expect(due).toMatchObject({ occurrence: new Date('2027-06-01T06:00:00Z'), next: new Date('2027-06-02T06:00:00Z') });
});
