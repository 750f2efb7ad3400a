import { expect, test } from 'vitest';
import { age, duration, durationBetween } from '../../../schemas/time/duration.ts';

test.each([
  [0, '0.0s'],
  [1200, '1.2s'],
  [12_400, '12s'],
  [185_000, '3m 05s'],
  [20 * 60_000, '20m 00s'],
  [7_800_000, '2h 10m'],
  [76 * 3_600_000, '3d 4h'],
])('%i ms take %s', (ms, text) => expect(duration(ms)).toBe(text));

test.each([
  [45, '45s'],
  [125, '2m'],
  [7_300, '2h'],
  [130_000, '36h'],
  [200_000, '2d'],
])('an age of %i s is %s', (seconds, text) => {
  const now = Date.parse('2026-11-22T06:12:12Z');
  expect(age(new Date(now - seconds * 1000).toISOString(), now)).toBe(text);
});

test('shows nothing for a missing time', () => {
  expect([age(null), age('never'), durationBetween(null, '2026-11-22T06:12:12Z')]).toEqual(['', '', '']);
});
