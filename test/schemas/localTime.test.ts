import { afterEach, expect, it, vi } from 'vitest';
import { localTime, withLocalTimes, zoneAt } from '../../schemas/localTime.ts';

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
