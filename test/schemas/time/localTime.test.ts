import { afterEach, expect, it, vi } from 'vitest';
import { localTime, withLocalTimes, zoneAt } from '../../../schemas/time/localTime.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['Europe/Berlin', '2026-01-02 04:04:05', 'UTC+01:00'],
  ['America/St_Johns', '2026-01-01 23:34:05', 'UTC-03:30'],
  ['UTC', '2026-01-02 03:04:05', 'UTC+00:00'],
])('a time as it is in %s', (name, local, offset) => {
  vi.stubEnv('TZ', name);
  const iso = '2026-01-02T03:04:05.000Z';
  expect([localTime(iso), zoneAt(iso)]).toEqual([local, offset]);
  expect(withLocalTimes(`It waits until 2026-01-02 03:04:05 UTC, since ${iso}: x`)).toBe(
    `It waits until ${local}, since ${local}: x`,
  );
});

it.each([
  ['2026-03-29T00:59:59Z', '2026-03-29 01:59:59', 'UTC+01:00'],
  ['2026-03-29T01:00:00Z', '2026-03-29 03:00:00', 'UTC+02:00'],
  ['2026-10-25T00:30:00Z', '2026-10-25 02:30:00', 'UTC+02:00'],
  ['2026-10-25T01:30:00Z', '2026-10-25 02:30:00', 'UTC+01:00'],
])('%s around the change to and from summer time', (iso, local, offset) => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect([localTime(iso), zoneAt(iso)]).toEqual([local, offset]);
});

it('leaves an impossible time as it is, and treats an unknown zone as UTC', () => {
  const said = 'The agent waits until 2026-13-45 99:61:00 UTC.';
  expect(withLocalTimes(said)).toBe(said);
  vi.stubEnv('TZ', 'Nowhere/Land');
  expect(localTime('2026-01-02T03:04:05Z')).toBe('2026-01-02 03:04:05');
});
