import { expect, it } from 'vitest';
import { parseDuration } from '../../../cli/input/parseDuration.ts';

it.each([
  ['1s', 1_000],
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['596h', 2_145_600_000],
])('%s', (text, ms) => {
  expect(parseDuration('--timeout', text)).toBe(ms);
});

it.each(['', 'soon', '30', 'm', '0m', '-5m', '1.5h', '30 m', '30M', '1d', '1h30m', '597h', '999999999h', '٣m'])(
  'refuses "%s"',
  (text) => {
    expect(() => parseDuration('--timeout', text)).toThrow(expect.objectContaining({ code: 'usage' }));
  },
);
